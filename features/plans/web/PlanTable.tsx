import { groupPlansByData } from '#kit/contract/plan-lists.ts'
import { type MouseEvent, useId } from 'react'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { formatDataAmount, getTotalDataLabel, computePricePer30Days } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { Product } from '../plans.contract.ts'
import { LongPlanList } from './LongPlanList.tsx'
import { computeMonthlyAverage } from './summary.labels.ts'
import * as s from './PlanTable.module.css'

type Props = {
  plans: readonly Product[]
  chosen: Product | undefined
  onChoose: (plan: Product, event: MouseEvent) => void
}

const pageSize = 100

export default function PlanTables({ plans, ...selectionProps }: Props) {
  const isLong = plans.length > pageSize
  const renderTables = (shown: readonly Product[]) =>
    groupPlansByData(shown).map((row) => (
      <PlanTable
        key={row.data_gb}
        data={formatDataAmount(row.data_gb)}
        plans={row.plans}
        showsTitles={isLong}
        {...selectionProps}
      />
    ))
  if (!isLong) return renderTables(plans)
  return (
    <LongPlanList plans={groupPlansByData(plans).flatMap((row) => row.plans)} pageSize={pageSize}>
      {renderTables}
    </LongPlanList>
  )
}

type TableProps = Props & { data: string; showsTitles: boolean }

function PlanTable({ data, plans, showsTitles, chosen, onChoose }: TableProps) {
  const id = useId()
  const { market } = useBootstrap()
  const hasAverage = plans.some((plan) => computeMonthlyAverage(market, plan) !== null)
  return (
    <table className={s.plans} aria-labelledby={id}>
      <thead>
        <tr>
          <th scope="col">
            <b id={id}>{data}</b>
            <span className="visually-hidden">, length in days</span>
          </th>
          <th scope="col">
            <span>Per 30 days</span>
            {hasAverage && <span className={s.average}> Monthly average</span>}
          </th>
          <th scope="col">Total</th>
        </tr>
      </thead>
      <tbody>
        {plans.map((plan) => {
          const price = decimalToCents(plan.price)
          return (
            <tr key={plan.unique_id}>
              <th scope="row">
                <button
                  type="button"
                  className={s.choose}
                  aria-pressed={plan === chosen}
                  onClick={(event) => onChoose(plan, event)}
                >
                  <span>
                    <span className="visually-hidden">{data}, </span>
                    {plan.length} days
                    {showsTitles && <small> {plan.title}</small>}
                    {getTotalDataLabel(plan) && <small> {getTotalDataLabel(plan)}</small>}
                    {plan.new_customer_only && <small> New customers</small>}
                  </span>
                  <Icon name="check" />
                </button>
              </th>
              <td>
                <span>{formatPrice(computePricePer30Days(price, plan.length))}</span>
                <AveragePrice plan={plan} />
              </td>
              <td className={s.total}>{formatPrice(price)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function AveragePrice({ plan }: { plan: Product }) {
  const average = computeMonthlyAverage(useBootstrap().market, plan)
  if (average === null) return null
  return (
    <b className={s.average}>
      {' '}
      {formatPrice(average)}
      <span className="visually-hidden"> monthly average</span>
    </b>
  )
}
