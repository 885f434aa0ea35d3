import { type FocusEvent, lazy, type ReactNode, type RefObject, Suspense } from 'react'
import { FieldNote } from '#kit/web/form/FieldNote.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { Product } from '../plans.contract.ts'
import type { PlanChoice } from './plan-choice.ts'
import { PlanCard } from './PlanCard.tsx'
import * as s from './PlanChooser.module.css'

const PlanGroups = lazy(() => import('./PlanGroups.tsx'))

/** With more plans than this, customers can search the list. */
const maxUngroupedPlans = 24

type Props = {
  ref: RefObject<HTMLFieldSetElement | null>
  form: Pick<Form<PlanChoice>, 'values' | 'field'>
  plans: readonly Product[]
  /** The text to show if there are no plans. */
  none: string
  nextOf: (plan: Product) => Product | undefined
  onChoose: (plan: Product) => void
}

export function PlanCards({ ref, form, plans, none, nextOf, onChoose }: Props) {
  const field = form.field('plan')
  const { onBlur, name, ...control } = field.control
  const isLong = plans.length > maxUngroupedPlans
  const renderCard = (plan: Product) => (
    <PlanCard
      key={plan.unique_id}
      plan={plan}
      next={nextOf(plan)}
      name={name}
      checked={plan.unique_id === form.values.plan}
      showsTitle={isLong}
      onChoose={() => onChoose(plan)}
    />
  )
  const renderRadioGroup = (children: ReactNode) => (
    <fieldset
      ref={ref}
      role="radiogroup"
      className={s.plans}
      {...control}
      onBlur={(event) => hasFocusLeft(event) && onBlur(event)}
    >
      <legend className="visually-hidden">Prepay Plan</legend>
      {children}
      {plans.length === 0 && <p className={s.none}>{none}</p>}
      <FieldNote field={field} />
    </fieldset>
  )
  if (!isLong) return renderRadioGroup(<div className={s.cards}>{plans.map(renderCard)}</div>)
  const chosenPlan = plans.find((plan) => plan.unique_id === form.values.plan)
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <PlanGroups plans={plans} chosen={chosenPlan} card={renderCard}>
        {renderRadioGroup}
      </PlanGroups>
    </Suspense>
  )
}

const hasFocusLeft = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): boolean =>
  !currentTarget.contains(relatedTarget)
