import type { ReactNode } from 'react'
import { groupPlansByData } from '#kit/contract/plan-lists.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import type { Product } from '../plans.contract.ts'
import { LongPlanList } from './LongPlanList.tsx'
import * as s from './PlanChooser.module.css'

type Props = {
  plans: readonly Product[]
  chosen: Product | undefined
  card: (plan: Product) => ReactNode
  /** Renders the group of radio buttons around the cards. */
  children: (cards: ReactNode) => ReactNode
}

const pageSize = 24

/** The cards of many plans, grouped by their amount of data. The chosen plan is always among them. */
export default function PlanGroups({ plans, chosen, card, children }: Props) {
  return (
    <LongPlanList plans={plans} pageSize={pageSize}>
      {(shown) =>
        children(
          <>
            {chosen && !shown.includes(chosen) && <Group title="Your choice">{card(chosen)}</Group>}
            {groupPlansByData(shown).map((row) => (
              <Group key={row.data_gb} title={formatDataAmount(row.data_gb)}>
                {row.plans.map(card)}
              </Group>
            ))}
          </>,
        )
      }
    </LongPlanList>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={`${s.cards} ${s.plans}`}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
