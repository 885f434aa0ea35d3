import { lazy, type MouseEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import type { Form } from '#kit/web/form/form.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { SidePanel } from '#kit/web/widgets/Dialog.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { LengthSlider } from '#kit/web/widgets/LengthSlider.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { PlanFilter, Product } from '../plans.contract.ts'
import { type PlanChoice, toPlanChoice, choosePlanOfLength, chooseShownLength, sortPlansByData } from './plan-choice.ts'
import { shortDataLabel } from './summary.labels.ts'
import { PlanCards } from './PlanCards.tsx'
import * as s from './PlanChooser.module.css'

const PlanTables = lazy(() => import('./PlanTable.tsx'))

export type ChoiceForm = Pick<Form<PlanChoice>, 'values' | 'setMany' | 'field'>

type Props = {
  form: ChoiceForm
  plans: readonly Product[]
  filters: readonly PlanFilter[]
  nextOf: (plan: Product) => Product | undefined
}

export function PlanOffer({ form, plans, filters, nextOf }: Props) {
  const cards = useRef<HTMLFieldSetElement>(null)
  const length = chooseShownLength(filters, form.values.length)
  const shownPlans = sortPlansByData(plans, length)
  const chosenPlan = shownPlans.find((plan) => plan.unique_id === form.values.plan)

  const choosePlan = (plan: Product) => form.setMany(toPlanChoice(plan))
  const [isShowingAll, setShowingAll, chooseFromAll] = useAllPlansDialog(cards, choosePlan)

  return (
    <>
      <Card>
        <PlanQuestion chosen={chosenPlan} plans={shownPlans.length} />
        <LengthSlider
          label="Plan length"
          options={filters}
          value={length}
          onChange={(to) => form.setMany(choosePlanOfLength(plans, chosenPlan, to))}
        />
      </Card>
      <PlanCards
        ref={cards}
        form={form}
        plans={shownPlans}
        none={plans.length > 0 ? noPlansOfLengthMessage : noPlansMessage}
        nextOf={nextOf}
        onChoose={choosePlan}
      />
      {plans.length > 0 && (
        <button type="button" className={s.all} onClick={() => setShowingAll(!isShowingAll)}>
          {isShowingAll ? 'Hide all plans' : 'Show all plans'}
          <Icon name="arrow" />
        </button>
      )}
      <SidePanel title="All Prepay Plans" open={isShowingAll} onClose={() => setShowingAll(false)}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <PlanTables plans={plans} chosen={chosenPlan} onChoose={chooseFromAll} />
        </Suspense>
      </SidePanel>
    </>
  )
}

function useAllPlansDialog(cards: RefObject<HTMLElement | null>, choose: (plan: Product) => void) {
  const shouldFocusCard = useRef(false)
  const [isShowingAll, setShowingAll] = useState(false)

  // Choosing a plan closes the modal panel, so move the focus to the chosen plan's card.
  function choosePlanInDialog(plan: Product, { currentTarget }: MouseEvent) {
    choose(plan)
    shouldFocusCard.current = currentTarget.closest('dialog')?.matches(':modal') ?? false
    if (shouldFocusCard.current) setShowingAll(false)
  }
  useEffect(() => {
    if (!isShowingAll && shouldFocusCard.current) cards.current?.querySelector<HTMLElement>(':checked')?.focus()
    shouldFocusCard.current = false
  }, [cards, isShowingAll])

  return [isShowingAll, setShowingAll, choosePlanInDialog] as const
}

function PlanQuestion({ chosen, plans }: { chosen: Product | undefined; plans: number }) {
  return (
    <div className={s.question}>
      <h2>How long should your plan last?</h2>
      <p role="status">
        {chosen ? <Pill kind="warn">{shortDataLabel(chosen)}</Pill> : <Pill>{planCountLabel(plans)}</Pill>}
      </p>
    </div>
  )
}

const noPlansOfLengthMessage = 'There are no Prepay Plans of this length right now. Please choose another length.'
const planCountLabel = (plans: number): string => (plans === 1 ? '1 plan' : `${plans} plans`)
const noPlansMessage = 'There are no Prepay Plans to choose from right now. Please come back a little later.'
