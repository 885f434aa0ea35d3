import { useId } from 'react'
import { cancelInWords } from './cancel-words.ts'
import { shortDayInWords } from './start-words.ts'
import * as s from './start-choice.module.css'

type Props = {
  /** Days left on the current plan. */
  rest: number
  /** `length` is in days; the new plan starts at the beginning of `startsOn`. */
  length: number
  startsOn: string
  lastDay: string
}

type WaitsProps = { today: string; byVoucher?: boolean | undefined }

export default function PlanBars({ today, byVoucher, ...plans }: Props & WaitsProps) {
  if (plans.startsOn === today) return <InItsPlace {...plans} />
  return (
    <>
      <OneAfterTheOther {...plans} />
      <span className={s.more}>{cancelInWords(plans.startsOn, today, byVoucher)}</span>
    </>
  )
}

function OneAfterTheOther({ rest, length, startsOn, lastDay }: Props) {
  const kept = Math.min(90, Math.max(6, (100 * rest) / (rest + length)))
  return (
    <span className={s.bars} aria-hidden="true">
      <svg className={s.bar}>
        <rect className={s.present} width={`${kept}%`} height="100%" rx="5" />
        <rect className={s.next} x={`${kept + 1.5}%`} width={`${98.5 - kept}%`} height="100%" rx="5" />
      </svg>
      <span className={s.marks}>
        <span>Today</span>
        <b>{shortDayInWords(startsOn)}, new plan</b>
        <span>{shortDayInWords(lastDay)}</span>
      </span>
    </span>
  )
}

function InItsPlace({ rest, length, lastDay }: Omit<Props, 'startsOn'>) {
  const hatch = useId()
  const whole = rest + length
  const width = (days: number): string => `${Math.max(6, (100 * days) / whole)}%`
  return (
    <span className={s.bars} aria-hidden="true">
      <span className={s.givenUp}>
        <svg className={s.hatched} width={width(Math.min(rest, 0.7 * whole))}>
          <pattern id={hatch} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect className={s.stripe} width="2" height="7" />
          </pattern>
          <rect width="100%" height="100%" fill={`url(#${hatch})`} />
        </svg>
        given up
      </span>
      <svg className={s.bar}>
        <rect className={s.next} width={width(length)} height="100%" rx="5" />
      </svg>
      <span className={s.marks}>
        <b>Today, new plan</b>
        <span>until {shortDayInWords(lastDay)}</span>
      </span>
    </span>
  )
}
