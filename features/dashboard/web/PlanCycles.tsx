import { formatDate } from '#kit/contract/dates.ts'
import { cycleDays, cyclesOf, dataInAll } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import type { Schedule } from '#features/services/services.contract.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import * as s from './PlanCycles.module.css'

/** The maximum number of dates that fit without overlap. */
const mostDates = 4

export function PlanCycles({ schedule, summary }: { schedule: Schedule; summary: UsageSummary | undefined }) {
  const { market } = useBootstrap()
  const { length, data_gb } = schedule.product
  const cycles = cyclesOf(length)
  if (cycles === 1 || !data_gb) return null
  const starts = Array.from({ length: cycles + 1 }, (_, cycle) =>
    dayAfter(schedule.starts_on, cycle === cycles ? length : cycle * cycleDays),
  )
  const end = summary && formatDate(summary.renewal_date, market.zone)
  const now = starts.findIndex((start) => start === end) - 1
  const gone = summary ? 1 - summary.days_remaining / summary.plan.renewal_length : 0
  return (
    <div className={s.cycles}>
      <p className={s.head}>
        <b>Your {length} days</b>
        <span>{dataInAll({ length, data_gb })}</span>
      </p>
      <ol>
        {starts.slice(0, cycles).map((start, cycle) => (
          <li key={start} aria-current={cycle === now || undefined}>
            <Progress
              kind={cycle === now ? 'sun' : 'brand'}
              value={cycle < now ? 1 : cycle === now ? gone : 0}
              max={1}
              label={`Cycle from ${start}`}
              valueText={cycle < now ? 'Ended' : cycle === now ? 'Now' : 'Not started'}
            />
            {(cycles <= mostDates || cycle === now || (cycle === 0 && now > 2)) && (
              <span>
                {start.slice(0, -5)}
                {cycle === now && <span>, now</span>}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The result is in display format. `plusDays` would add a file to the page for this one line. */
const dayAfter = (day: string, days: number): string =>
  formatDate({ epochMilliseconds: Date.parse(day) + days * 86_400_000 }, 'UTC')
