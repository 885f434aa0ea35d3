import { useId } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { getCancellationLabel } from './cancel.labels.ts'
import { formatFullDay } from './start.labels.ts'
import * as s from './start-choice.module.css'

type Props = {
  /** The number of days left on the current plan. */
  rest: number
  /** `length` is the new plan's length in days. The new plan starts at the beginning of the day `startsOn`. */
  length: number
  startsOn: string
  lastDay: string
}

type QueuedPlanProps = { today: string; byVoucher?: boolean | undefined }

export default function PlanTimeline({ today, byVoucher, ...plans }: Props & QueuedPlanProps) {
  const { zone } = useBootstrap().market
  if (plans.startsOn === today) return <ReplacedPlan {...plans} />
  return (
    <>
      <SequentialPlans {...plans} />
      <span className={s.more}>{getCancellationLabel(plans.startsOn, { today, zone }, byVoucher)}</span>
    </>
  )
}

function SequentialPlans({ rest, length, startsOn, lastDay }: Props) {
  const remainingWidth = Math.min(90, Math.max(6, (100 * rest) / (rest + length)))
  return (
    <span className={s.bars} aria-hidden="true">
      <svg className={s.bar}>
        <rect className={s.present} width={`${remainingWidth}%`} height="100%" rx="5" />
        <rect
          className={s.next}
          x={`${remainingWidth + 1.5}%`}
          width={`${98.5 - remainingWidth}%`}
          height="100%"
          rx="5"
        />
      </svg>
      <span className={s.marks}>
        <span>Today</span>
        <b>{formatFullDay(startsOn)}, new plan</b>
        <span>{formatFullDay(lastDay)}</span>
      </span>
    </span>
  )
}

function ReplacedPlan({ rest, length, lastDay }: Omit<Props, 'startsOn'>) {
  const patternId = useId()
  const totalDays = rest + length
  const getBarWidth = (days: number): string => `${Math.max(6, (100 * days) / totalDays)}%`
  return (
    <span className={s.bars} aria-hidden="true">
      <span className={s.givenUp}>
        <svg className={s.hatched} width={getBarWidth(Math.min(rest, 0.7 * totalDays))}>
          <pattern id={patternId} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect className={s.stripe} width="2" height="7" />
          </pattern>
          <rect width="100%" height="100%" fill={`url(#${patternId})`} />
        </svg>
        given up
      </span>
      <svg className={s.bar}>
        <rect className={s.next} width={getBarWidth(length)} height="100%" rx="5" />
      </svg>
      <span className={s.marks}>
        <b>Today, new plan</b>
        <span>until {formatFullDay(lastDay)}</span>
      </span>
    </span>
  )
}
