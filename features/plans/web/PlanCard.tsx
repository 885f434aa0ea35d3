import { useId } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { splitDataAmount, getPer30DaysLabel, computePricePer30Days } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChoiceCard } from '#kit/web/form/ChoiceCard.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import { Price } from '#kit/web/widgets/Price.tsx'
import { planMessages, type Product } from '../plans.contract.ts'
import { MonthlyAverage } from './MonthlyAverage.tsx'
import { dataPerCycleLabel } from './plan.labels.ts'
import { computeMonthlyAverage } from './summary.labels.ts'
import * as s from './PlanCard.module.css'

type Props = {
  plan: Product
  next: Product | undefined
  name: string
  checked: boolean
  /** Whether to show the plan's title, which tells apart plans of the same size. */
  showsTitle?: boolean
  onChoose: () => void
}

export function PlanCard({ plan, next, name, checked, showsTitle, onChoose }: Props) {
  const id = useId()
  const cents = decimalToCents(plan.price)
  const isForNewCustomers = plan.new_customer_only
  const average = computeMonthlyAverage(useBootstrap().market, plan)
  const optionalDetails = [
    showsTitle && 'title',
    average !== null && 'average',
    next && 'next',
    isForNewCustomers && 'welcome',
  ]
  const describedBy = ['rhythm', 'upfront', 'works', ...optionalDetails.filter((detail) => detail)]
    .map((detail) => `${id}${detail}`)
    .join(' ')
  return (
    <ChoiceCard
      name={name}
      value={plan.unique_id}
      checked={checked}
      onChoose={onChoose}
      labelledBy={`${id}data ${id}price`}
      describedBy={describedBy}
      className={s.card}
    >
      {showsTitle && (
        <span id={`${id}title`} className={s.rhythm}>
          {plan.title}
        </span>
      )}
      <Amounts plan={plan} id={id} />
      <span id={`${id}works`} className={s.works}>
        Works out to <Price cents={computePricePer30Days(cents, plan.length)} />{' '}
        <span>{getPer30DaysLabel(plan.length)}</span>
      </span>
      {average !== null && <MonthlyAverage id={`${id}average`} cents={average} />}
      {next && (
        <span id={`${id}next`} className={s.next}>
          After that: {planMessages.next(next)}
        </span>
      )}
      {isForNewCustomers && (
        <span id={`${id}welcome`} className={s.note}>
          <Pill>New customers</Pill>
        </span>
      )}
    </ChoiceCard>
  )
}

/** The plan's data and its price, side by side. */
function Amounts({ plan, id }: { plan: Product; id: string }) {
  const { amount, unit } = splitDataAmount(plan.data_gb)
  return (
    <span className={s.columns}>
      <span>
        <span id={`${id}data`} className={s.data}>
          <b>{amount}</b> {unit}
        </span>
        <span id={`${id}rhythm`} className={s.rhythm}>
          {dataPerCycleLabel(plan)}
        </span>
      </span>
      <span className={s.cost}>
        <span id={`${id}price`}>
          <Price big cents={decimalToCents(plan.price)} was={plan.rrp === null ? null : decimalToCents(plan.rrp)} />
        </span>
        <span id={`${id}upfront`} className={s.upfront}>
          Total Upfront Cost
        </span>
      </span>
    </span>
  )
}
