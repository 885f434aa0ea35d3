import { lazy, type ReactNode, Suspense, useId } from 'react'
import { getLastDayBefore, addDays } from '#kit/contract/days.ts'
import { ChoiceCard } from '#kit/web/form/ChoiceCard.tsx'
import type { Form } from '#kit/web/form/form.ts'
import type { StartOption } from '../renewal.contract.ts'
import { type RadioChoice, RadioQuestion } from './RadioQuestion.tsx'
import type { RunningPlan } from './running-plan.ts'
import { formatFullDay, formatLastDay, describeRemainingData, describeRemainingPlan } from './start.labels.ts'
import * as s from './start-choice.module.css'

const PlanTimeline = lazy(() => import('./PlanTimeline.tsx'))

type Props = {
  form: Pick<Form<{ starts: StartOption }>, 'values' | 'set' | 'field'>
  running: RunningPlan
  /** The new plan's length in days; `undefined` while no plan is chosen. */
  length: number | undefined
  byVoucher?: boolean | undefined
}

export function StartQuestion({ form, running, length, byVoucher }: Props) {
  const { endsOn, rest } = running
  const remainingDataText = describeRemainingData(rest)
  const timelineProps = { running, length, byVoucher }
  return (
    <RadioQuestion form={form} name="starts" title="When should it start?" className={s.starts}>
      {(choice) => (
        <>
          <StartChoice
            {...choice('at_end')}
            title={`On ${formatFullDay(endsOn)}, when this plan ends`}
            from={endsOn}
            {...timelineProps}
          >
            You keep your {describeRemainingPlan(rest)}.
          </StartChoice>
          <StartChoice {...choice('now')} title="Now" from={running.today} {...timelineProps}>
            You give up <b className={s.lost}>{describeRemainingPlan(rest)}</b>
            <span>{remainingDataText ? `: ${remainingDataText}.` : '.'}</span>
          </StartChoice>
        </>
      )}
    </RadioQuestion>
  )
}

type StartChoiceProps = Omit<Props, 'form'> & {
  title: string
  from: string
  children: ReactNode
}

function StartChoice({
  title,
  from,
  running: { today, rest },
  length,
  byVoucher,
  children,
  ...choice
}: RadioChoice & StartChoiceProps) {
  const id = useId()
  const newPlanEndsOn = length && addDays(from, length)
  return (
    <ChoiceCard {...choice} labelledBy={`${id}name`} describedBy={`${id}more`}>
      <b id={`${id}name`}>{title}</b>
      <span id={`${id}more`} className={s.more}>
        {children}
        {newPlanEndsOn && <span> The new plan’s last day is {formatLastDay(newPlanEndsOn)}.</span>}
      </span>
      {newPlanEndsOn && (
        <Suspense>
          <PlanTimeline
            rest={rest.days}
            length={length}
            today={today}
            byVoucher={byVoucher}
            startsOn={from}
            lastDay={getLastDayBefore(newPlanEndsOn)}
          />
        </Suspense>
      )}
    </ChoiceCard>
  )
}
