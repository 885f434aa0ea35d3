import { useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { weekdayNames } from '#kit/contract/dates.ts'
import { formatShortDate } from '#kit/contract/days.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { getServerTime } from '#kit/web/server-time.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { type DailyUsage, type Week, weeks } from '../daily-usage.contract.ts'
import { dailyUsageQuery } from './number.queries.ts'
import { readingAgeLabel } from './usage.labels.ts'
import * as s from './number.module.css'

type Props = {
  id: string
  service: string
  began: string | null
}

export function DailyUsagePanel({ id, service, began }: Props) {
  const [week, setWeek] = useState<Week>('0')
  const { data, error, refetch } = useQuery(dailyUsageQuery(useApi(), { id, service }, week))
  const [before, after] = [weeks[Number(week) + 1], weeks[Number(week) - 1]]
  return (
    <Panel
      title="Daily usage"
      note={
        data &&
        `${formatDataAmount(sumOf(data.days) / 1_000)} in these 7 days, updated ${readingAgeLabel(data.read, getServerTime())}`
      }
      action={
        <div className={s.weeks}>
          {before && (
            <DenseButton small onClick={() => setWeek(before)}>
              Previous week
            </DenseButton>
          )}
          {after && (
            <DenseButton small onClick={() => setWeek(after)}>
              Next week
            </DenseButton>
          )}
        </div>
      }
      inset={false}
    >
      {data && <DailyUsageTable days={data.days} began={began} />}
      {!data && (
        <div className={s.waiting}>
          {error ? <DailyUsageError error={error} onRetry={() => void refetch()} /> : <Skeleton lines={7} />}
        </div>
      )}
    </Panel>
  )
}

function DailyUsageError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isNetworkUnavailable = error instanceof ApiError && error.status === 424
  if (isNetworkUnavailable)
    return <Unavailable what="Daily usage is not available: no answer from the network." onRetry={onRetry} />
  return <Unavailable what="We couldn’t load the daily usage." error={error} onRetry={onRetry} />
}

const zeroValueClass = (used: number): string | undefined => (used === 0 ? s.none : undefined)

const sumOf = (days: readonly DailyUsage[]): number => days.reduce((sum, { megabytes }) => sum + megabytes, 0)

function DailyUsageTable({ days, began }: { days: readonly DailyUsage[]; began: string | null }) {
  const maxMegabytes = Math.max(...days.map(({ megabytes }) => megabytes), 1)
  return (
    <table className={s.days}>
      <caption className="visually-hidden">Daily usage, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" className={s.drawn}>
            <span className="visually-hidden">Chart</span>
          </th>
          <th scope="col">Data</th>
          <th scope="col">Calls</th>
          <th scope="col">Texts</th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, megabytes, call_seconds: seconds, texts }) => (
          <tr key={day}>
            <th scope="row">
              {weekdayNames[new Date(day).getUTCDay()]} {formatShortDate(day)}
              {day === began && <span className={s.began}>plan started</span>}
            </th>
            <td className={s.drawn} aria-hidden="true">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none">
                <rect width={(megabytes / maxMegabytes) * 100} height="10" />
              </svg>
            </td>
            <td className={zeroValueClass(megabytes)}>{formatDataAmount(megabytes / 1_000)}</td>
            <td className={zeroValueClass(seconds)}>{Math.ceil(seconds / 60)} min</td>
            <td className={zeroValueClass(texts)}>{texts}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
