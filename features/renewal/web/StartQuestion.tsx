import { lazy, type ReactNode, Suspense, useId } from 'react'
import { lastDayBefore, plusDays } from '#kit/contract/days.ts'
import { ChoiceCard } from '#kit/web/form/ChoiceCard.tsx'
import { FieldNote } from '#kit/web/form/FieldNote.tsx'
import type { Form } from '#kit/web/form/form.ts'
import type { Starts } from '../renewal.contract.ts'
import type { RunningPlan } from './running-plan.ts'
import { cancelInWords, lastDayInWords, partsInWords, restInWords, shortDayInWords } from './start-words.ts'
import s from './start-choice.module.css'

// Drawings of what the words say: they may come later.
const PlanBars = lazy(() => import('./PlanBars.tsx'))

type Props = {
  form: Pick<Form<{ starts: Starts }>, 'values' | 'set' | 'field'>
  running: RunningPlan
  /** Of the new plan, in days; undefined while none is chosen. */
  length: number | undefined
  byVoucher?: boolean
}

/** When the next plan begins, and what each answer keeps and gives up of the present one. */
export function StartQuestion({ form, running, length, byVoucher }: Props) {
  const field = form.field('starts')
  const { today, endsOn, rest } = running
  const parts = partsInWords(rest)
  const of = { running, length }
  // One of the two is always chosen: there is nothing to check as it is left.
  const { onBlur: _, name, ...control } = field.control
  const choice = (starts: Starts) => ({
    name,
    value: starts,
    checked: form.values.starts === starts,
    onChoose: () => form.set('starts', starts),
  })
  return (
    <fieldset role="radiogroup" className={s.question} {...control}>
      <legend>
        <h2>When should it start?</h2>
      </legend>
      <div className={s.starts}>
        <Answer
          {...choice('at_end')}
          title={`On ${shortDayInWords(endsOn)}, when this plan ends`}
          from={endsOn}
          {...of}
        >
          You keep your {restInWords(rest)}.{cancelInWords(endsOn, today, byVoucher)}
        </Answer>
        <Answer {...choice('now')} title="Now" from={today} {...of}>
          You give up <b className={s.lost}>{restInWords(rest)}</b>
          {parts && `: ${parts}`}.
        </Answer>
      </div>
      <FieldNote field={field} />
    </fieldset>
  )
}

type AnswerProps = Pick<Props, 'running' | 'length'> & {
  name: string
  value: string
  checked: boolean
  onChoose: () => void
  title: string
  /** The new plan's first day. */
  from: string
  /** What it keeps, or gives up. */
  children: ReactNode
}

function Answer({ title, from, running: { today, rest }, length, children, ...choice }: AnswerProps) {
  const id = useId()
  const ends = length === undefined ? null : plusDays(from, length)
  return (
    <ChoiceCard {...choice} labelledBy={`${id}name`} describedBy={`${id}more`}>
      <b id={`${id}name`}>{title}</b>
      <span id={`${id}more`} className={s.more}>
        {children}
        {ends && ` The new plan’s last day is ${lastDayInWords(ends)}.`}
      </span>
      {ends && length !== undefined && (
        <Suspense>
          <PlanBars
            rest={rest.days}
            length={length}
            startsOn={from > today ? from : null}
            lastDay={lastDayBefore(ends)}
          />
        </Suspense>
      )}
    </ChoiceCard>
  )
}
