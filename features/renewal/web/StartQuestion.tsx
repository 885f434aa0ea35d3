import { lazy, Suspense, useId } from 'react'
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
        <AtEnd choice={choice('at_end')} running={running} length={length} byVoucher={byVoucher} />
        <Now choice={choice('now')} running={running} length={length} />
      </div>
      <FieldNote field={field} />
    </fieldset>
  )
}

type Choice = { name: string; value: string; checked: boolean; onChoose: () => void }
type AnswerProps = Omit<Props, 'form'> & { choice: Choice }

function AtEnd({ choice, running: { today, endsOn, rest }, length, byVoucher }: AnswerProps) {
  const id = useId()
  const ends = length === undefined ? null : plusDays(endsOn, length)
  return (
    <ChoiceCard {...choice} labelledBy={`${id}name`} describedBy={`${id}more`}>
      <b id={`${id}name`}>On {shortDayInWords(endsOn)}, when this plan ends</b>
      <span id={`${id}more`} className={s.more}>
        You keep your {restInWords(rest)}.{cancelInWords(endsOn, { today, byVoucher })}
        {ends && ` The new plan’s last day is ${lastDayInWords(ends)}.`}
      </span>
      {ends && length !== undefined && (
        <Suspense>
          <PlanBars rest={rest.days} length={length} startsOn={endsOn} lastDay={lastDayBefore(ends)} />
        </Suspense>
      )}
    </ChoiceCard>
  )
}

function Now({ choice, running: { today, rest }, length }: AnswerProps) {
  const id = useId()
  const ends = length === undefined ? null : plusDays(today, length)
  const parts = partsInWords(rest)
  return (
    <ChoiceCard {...choice} labelledBy={`${id}name`} describedBy={`${id}more`}>
      <b id={`${id}name`}>Now</b>
      <span id={`${id}more`} className={s.more}>
        You give up <b className={s.lost}>{restInWords(rest)}</b>
        {parts && `: ${parts}`}.{ends && ` The new plan’s last day is ${lastDayInWords(ends)}.`}
      </span>
      {ends && length !== undefined && (
        <Suspense>
          <PlanBars rest={rest.days} length={length} startsOn={null} lastDay={lastDayBefore(ends)} />
        </Suspense>
      )}
    </ChoiceCard>
  )
}
