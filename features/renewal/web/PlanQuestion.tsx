import { lazy, Suspense, useId } from 'react'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { formatDataAmount, getPer30DaysLabel, computePricePer30Days } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChoiceCard } from '#kit/web/form/ChoiceCard.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { Product } from '#features/plans/plans.contract.ts'
import type { PlanChoice } from '#features/plans/web/plan-choice.ts'
import { dataPerCycleLabel } from '#features/plans/web/plan.labels.ts'
import { computeMonthlyAverage } from '#features/plans/web/summary.labels.ts'
import { type RadioChoice, RadioQuestion } from './RadioQuestion.tsx'
import type { RenewablePlan } from './renewable-plan.ts'
import * as s from './start-choice.module.css'

const PlanChooser = lazy(() => import('#features/plans/web/PlanChooser.tsx'))

const PlanAdviceNote = lazy(() => import('#features/history/web/PlanAdviceNote.tsx'))

export type PlanOption = 'usual' | 'other'
type Values = PlanChoice & { which: PlanOption }

type Props = {
  form: Pick<Form<Values>, 'values' | 'set' | 'setMany' | 'field'>
  plan: RenewablePlan
  plans: readonly Product[] | undefined
  usual: Product | undefined
}

export function PlanQuestion({ form, plan: { schedule, change }, plans, usual }: Props) {
  const planChooser = (
    <Suspense fallback={<Skeleton lines={6} />}>
      <PlanChooser form={form} newCustomers={false} />
    </Suspense>
  )
  if (!plans) return planChooser
  if (!usual)
    return (
      <section className={s.question} aria-label="Choose your next plan">
        <h2>Choose your next plan</h2>
        {!change && (
          <p className={s.lead}>
            {schedule.product.title} for {schedule.product.length} days is no longer sold.
          </p>
        )}
        {planChooser}
      </section>
    )
  return (
    <>
      <RadioQuestion form={form} name="which" title="Which plan?" className={s.plans}>
        {(choice) => {
          const otherChoice = choice('other')
          return (
            <>
              <PreselectedPlan
                choice={choice('usual')}
                usual={usual}
                isSame={usual.unique_id === schedule.product.unique_id}
              />
              <OtherPlanChoice choice={otherChoice} plans={plans} />
              {!otherChoice.checked && (
                <Suspense>
                  <PlanAdviceNote uuid={schedule.service} compare={otherChoice.onChoose} />
                </Suspense>
              )}
            </>
          )
        }}
      </RadioQuestion>
      {form.values.which === 'other' && planChooser}
    </>
  )
}

function PreselectedPlan({ choice, usual, isSame }: { choice: RadioChoice; usual: Product; isSame: boolean }) {
  const id = useId()
  const cents = getPriceCents(usual)
  const averageMonthlyPrice = computeMonthlyAverage(useBootstrap().market, usual)
  return (
    <ChoiceCard
      {...choice}
      labelledBy={`${id}name ${id}price`}
      describedBy={`${id}more${averageMonthlyPrice === null ? '' : ` ${id}average`}`}
    >
      <span className={s.head}>
        <b id={`${id}name`}>{isSame ? 'Renew the same plan' : `Renew with ${usual.title}`}</b>
        <b id={`${id}price`} className={s.price}>
          {formatPrice(cents)}
        </b>
      </span>
      <span id={`${id}more`} className={s.more}>
        {usual.data_gb > 0
          ? `${formatDataAmount(usual.data_gb)} ${dataPerCycleLabel(usual)}.`
          : `${usual.length} days.`}
        <span>{` Works out to ${formatPrice(computePricePer30Days(cents, usual.length))} ${getPer30DaysLabel(usual.length)}.`}</span>
      </span>
      {averageMonthlyPrice !== null && (
        <span id={`${id}average`} className={s.average}>
          <b>{formatPrice(averageMonthlyPrice)}</b> <span>monthly average</span>
        </span>
      )}
    </ChoiceCard>
  )
}

function OtherPlanChoice({ choice, plans }: { choice: RadioChoice; plans: readonly Product[] }) {
  const id = useId()
  return (
    <ChoiceCard {...choice} labelledBy={`${id}name`} describedBy={`${id}more`}>
      <b id={`${id}name`}>Choose another plan</b>
      <span id={`${id}more`} className={s.more}>
        {`From ${formatRange(plans, (plan) => plan.length, formatPlanLength)}, ${formatRange(plans, getPriceCents, formatPrice)}`}
      </span>
    </ChoiceCard>
  )
}

function formatRange(
  plans: readonly Product[],
  of: (plan: Product) => number,
  formatValue: (value: number) => string,
): string {
  const planValues = plans.map(of)
  return `${formatValue(Math.min(...planValues))} to ${formatValue(Math.max(...planValues))}`
}

const getPriceCents = ({ price }: Product): number => decimalToCents(price)

const formatPlanLength = (length: number): string => (length === 365 ? 'a year' : `${length}\u00A0days`)
