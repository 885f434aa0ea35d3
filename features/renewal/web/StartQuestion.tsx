import { lazy, type ReactNode, Suspense, useId } from 'react'
import { lastDayBefore, plusDays } from '#kit/contract/days.ts'
import { ChoiceCard } from '#kit/web/form/ChoiceCard.tsx'
import type { Form } from '#kit/web/form/form.ts'
import type { Starts } from '../renewal.contract.ts'
import { type Choice, Question } from './Question.tsx'
import type { RunningPlan } from './running-plan.ts'
import { lastDayInWords, partsInWords, restInWords, shortDayInWords } from './start-words.ts'
import * as s from './start-choice.module.css'

const PlanBars = lazy(() => import('./PlanBars.tsx'))

type Props = {
  form: Pick<Form<{ starts: Starts }>, 'values' | 'set' | 'field'>
  running: RunningPlan
  /** The new plan's length in days; undefined while none is chosen. */
  length: number | undefined
  byVoucher?: boolean | undefined
}

export function StartQuestion({ form, running, length, byVoucher }: Props) {
  const { endsOn, rest } = running
  const parts = partsInWords(rest)
  const of = { running, length, byVoucher }
  return (
    <Question form={form} name="starts" title="When should it start?" className={s.starts}>
      {(choice) => (
        <>
          <Answer
            {...choice('at_end')}
            title={`On ${shortDayInWords(endsOn)}, when this plan ends`}
            from={endsOn}
            {...of}
          >
            You keep your {restInWords(rest)}.
          </Answer>
          <Answer {...choice('now')} title="Now" from={running.today} {...of}>
            You give up <b className={s.lost}>{restInWords(rest)}</b>
            <span>{parts ? `: ${parts}.` : '.'}</span>
          </Answer>
        </>
      )}
    </Question>
  )
}

type AnswerProps = Omit<Props, 'form'> & {
  title: string
  from: string
  children: ReactNode
}

function Answer({
  title,
  from,
  running: { today, rest },
  length,
  byVoucher,
  children,
  ...choice
}: Choice & AnswerProps) {
  const id = useId()
  const ends = length && plusDays(from, length)
  return (
    <ChoiceCard {...choice} labelledBy={`${id}name`} describedBy={`${id}more`}>
      <b id={`${id}name`}>{title}</b>
      <span id={`${id}more`} className={s.more}>
        {children}
        {ends && <span> The new plan’s last day is {lastDayInWords(ends)}.</span>}
      </span>
      {ends && (
        <Suspense>
          <PlanBars
            rest={rest.days}
            length={length}
            today={today}
            byVoucher={byVoucher}
            startsOn={from}
            lastDay={lastDayBefore(ends)}
          />
        </Suspense>
      )}
    </ChoiceCard>
  )
}
