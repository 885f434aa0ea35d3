import type { ReactNode } from 'react'
import { formatDate } from '#kit/contract/dates.ts'
import { dataParts } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Table } from '#kit/web/widgets/Table.tsx'
import { Tabs } from '#kit/web/widgets/Tabs.tsx'
import type { UsageDetail } from '../usage.contract.ts'
import { formatDestination, formatDuration, formatMegabytes } from './detail-words.ts'
import { DetailChart } from './DetailChart.tsx'
import { formatTime } from './usage-words.ts'
import * as s from './detail.module.css'

export function DetailTabs({ detail }: { detail: UsageDetail | undefined }) {
  const waiting = !detail && (
    <Card>
      <div className={s.waiting}>
        <i />
        <Skeleton lines={7} />
      </div>
    </Card>
  )
  return (
    <Tabs
      label="Usage"
      tabs={[
        { title: 'Data', content: detail ? <Data days={detail.data_usage} /> : waiting },
        { title: 'Calls', content: detail ? <Calls calls={detail.voice_usage} /> : waiting },
        { title: 'SMS', content: detail ? <Texts texts={detail.txt_usage} /> : waiting },
      ]}
    />
  )
}

function Data({ days }: { days: UsageDetail['data_usage'] }) {
  const { market } = useBootstrap()
  const total = dataParts(days.reduce((sum, { value }) => sum + value, 0) / 1000)
  if (days.every(({ value }) => value === 0)) return <Empty>No data used in these 7 days.</Empty>
  return (
    <Card>
      <p className={s.total}>
        <b>{Number(total.amount).toLocaleString('en-NZ')}</b> {total.unit} used in these 7 days
      </p>
      <div className={s.data}>
        <DetailChart days={days} />
        <Table
          caption="Data by day, newest first"
          columns={[
            { title: 'Date', isShort: true },
            { title: 'Data Usage (MB)', isFigure: true },
          ]}
          rows={days
            .toReversed()
            .map(({ date, value }) => ({ key: date, cells: [formatDate(date, market.zone), formatMegabytes(value)] }))}
        />
      </div>
    </Card>
  )
}

function Calls({ calls }: { calls: UsageDetail['voice_usage'] }) {
  const { market } = useBootstrap()
  if (calls.length === 0) return <Empty>No calls in these 7 days.</Empty>
  return (
    <Card>
      <Table
        caption="Calls, newest first"
        columns={[{ title: 'Date' }, { title: 'To Number' }, { title: 'Duration', isFigure: true }]}
        rows={calls.map(({ date, destination, duration }, key) => ({
          key,
          cells: [
            <When key="when" date={date} />,
            formatDestination(destination, market.phoneRegion),
            formatDuration(duration),
          ],
        }))}
      />
    </Card>
  )
}

function Texts({ texts }: { texts: UsageDetail['txt_usage'] }) {
  const { market } = useBootstrap()
  if (texts.length === 0) return <Empty>No texts in these 7 days.</Empty>
  return (
    <Card>
      <Table
        caption="Texts, newest first"
        columns={[{ title: 'Date' }, { title: 'To Number' }]}
        rows={texts.map(({ date, destination }, key) => ({
          key,
          cells: [<When key="when" date={date} />, formatDestination(destination, market.phoneRegion)],
        }))}
      />
    </Card>
  )
}

const Empty = ({ children }: { children: ReactNode }) => (
  <Card>
    <p className={s.empty}>{children}</p>
  </Card>
)

function When({ date }: { date: string }) {
  const { market } = useBootstrap()
  return (
    <span className={s.when}>
      <span>{formatDate(date, market.zone)},</span> <span>{formatTime(date, market.zone)}</span>
    </span>
  )
}
