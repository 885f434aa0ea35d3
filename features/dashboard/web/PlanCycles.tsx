import { formatDate } from '#kit/contract/dates.ts'
import { cycleLengthDays, getCycleCount, getTotalAndCycleDataLabel } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import type { Schedule } from '#features/services/services.contract.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import * as s from './PlanCycles.module.css'

/** How many cycle dates fit side by side without overlapping. */
const maxCycleDates = 4

export function PlanCycles({ schedule, summary }: { schedule: Schedule; summary: UsageSummary | undefined }) {
  const { market } = useBootstrap()
  const { length, data_gb } = schedule.product
  const cycles = getCycleCount(length)
  if (cycles === 1 || !data_gb) return null
  const cycleStarts = Array.from({ length: cycles + 1 }, (_, cycle) =>
    addDaysToDate(schedule.starts_on, cycle === cycles ? length : cycle * cycleLengthDays),
  )
  const currentCycleEnd = summary && formatDate(summary.renewal_date, market.zone)
  const currentCycle = cycleStarts.findIndex((start) => start === currentCycleEnd) - 1
  const elapsedShare = summary ? 1 - summary.days_remaining / summary.plan.renewal_length : 0
  return (
    <div className={s.cycles}>
      <p className={s.head}>
        <b>Your {length} days</b>
        <span>{getTotalAndCycleDataLabel({ length, data_gb })}</span>
      </p>
      <ol>
        {cycleStarts.slice(0, cycles).map((start, cycle) => (
          <li key={start} aria-current={cycle === currentCycle || undefined}>
            <Progress
              kind={cycle === currentCycle ? 'sun' : 'brand'}
              value={cycle < currentCycle ? 1 : cycle === currentCycle ? elapsedShare : 0}
              max={1}
              label={`Cycle from ${start}`}
              valueText={cycle < currentCycle ? 'Ended' : cycle === currentCycle ? 'Now' : 'Not started'}
            />
            {(cycles <= maxCycleDates || cycle === currentCycle || (cycle === 0 && currentCycle > 2)) && (
              <span>
                {start}
                {cycle === currentCycle && <span>, now</span>}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Formats the date that is `days` days after `day`. Importing `addDays` would make the page load another file just for this function. */
const addDaysToDate = (day: string, days: number): string =>
  formatDate({ epochMilliseconds: Date.parse(day) + days * 86_400_000 }, 'UTC')
