import { lazy, Suspense, useId } from 'react'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { formatData, per30DaysLabel, pricePer30Days } from '#kit/contract/plans.ts'
import { ChoiceCard } from '#kit/web/form/ChoiceCard.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { Product } from '#features/plans/plans.contract.ts'
import type { PlanChoice } from '#features/plans/web/plan-choice.ts'
import { dataRhythm } from '#features/plans/web/plan-words.ts'
import { type Choice, Question } from './Question.tsx'
import type { Renewed } from './renewed.ts'
import * as s from './start-choice.module.css'

const PlanChooser = lazy(() => import('#features/plans/web/PlanChooser.tsx'))

const PlanAdviceNote = lazy(() => import('#features/history/web/PlanAdviceNote.tsx'))

export type Which = 'usual' | 'other'
type Values = PlanChoice & { which: Which }

type Props = {
  form: Pick<Form<Values>, 'values' | 'set' | 'setMany' | 'field'>
  plan: Renewed
  plans: readonly Product[] | undefined
  usual: Product | undefined
}

export function PlanQuestion({ form, plan: { schedule, change }, plans, usual }: Props) {
  const chooser = (
    <Suspense fallback={<Skeleton lines={6} />}>
      <PlanChooser form={form} newCustomers={false} />
    </Suspense>
  )
  if (!plans) return chooser
  if (!usual)
    return (
      <section className={s.question} aria-label="Choose your next plan">
        <h2>Choose your next plan</h2>
        {!change && (
          <p className={s.lead}>
            {schedule.product.title} for {schedule.product.length} days is no longer sold.
          </p>
        )}
        {chooser}
      </section>
    )
  return (
    <>
      <Question form={form} name="which" title="Which plan?" className={s.plans}>
        {(choice) => {
          const other = choice('other')
          return (
            <>
              <Usual choice={choice('usual')} usual={usual} isSame={usual.unique_id === schedule.product.unique_id} />
              <Other choice={other} plans={plans} />
              {!other.checked && (
                <Suspense>
                  <PlanAdviceNote uuid={schedule.service} compare={other.onChoose} />
                </Suspense>
              )}
            </>
          )
        }}
      </Question>
      {form.values.which === 'other' && chooser}
    </>
  )
}

function Usual({ choice, usual, isSame }: { choice: Choice; usual: Product; isSame: boolean }) {
  const id = useId()
  const cents = priceOf(usual)
  return (
    <ChoiceCard {...choice} labelledBy={`${id}name ${id}price`} describedBy={`${id}more`}>
      <span className={s.head}>
        <b id={`${id}name`}>{isSame ? 'Renew the same plan' : `Renew with ${usual.title}`}</b>
        <b id={`${id}price`} className={s.price}>
          {formatPrice(cents)}
        </b>
      </span>
      <span id={`${id}more`} className={s.more}>
        {usual.data_gb > 0 ? `${formatData(usual.data_gb)} ${dataRhythm(usual)}.` : `${usual.length} days.`}
        {usual.length !== 30 && (
          <span>{` Works out to ${formatPrice(pricePer30Days(cents, usual.length))} ${per30DaysLabel(usual.length)}.`}</span>
        )}
      </span>
    </ChoiceCard>
  )
}

function Other({ choice, plans }: { choice: Choice; plans: readonly Product[] }) {
  const id = useId()
  return (
    <ChoiceCard {...choice} labelledBy={`${id}name`} describedBy={`${id}more`}>
      <b id={`${id}name`}>Choose another plan</b>
      <span id={`${id}more`} className={s.more}>
        {`From ${range(plans, (plan) => plan.length, days)}, ${range(plans, priceOf, formatPrice)}`}
      </span>
    </ChoiceCard>
  )
}

function range(plans: readonly Product[], of: (plan: Product) => number, say: (value: number) => string): string {
  const all = plans.map(of)
  return `${say(Math.min(...all))} to ${say(Math.max(...all))}`
}

const priceOf = ({ price }: Product): number => fromWire(price)

const days = (length: number): string => (length === 365 ? 'a year' : `${length}\u00A0days`)
