import { type FocusEvent, lazy, type MouseEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { FieldNote } from '#kit/web/form/FieldNote.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { SidePanel } from '#kit/web/widgets/Dialog.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { LengthSlider } from '#kit/web/widgets/LengthSlider.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { PlanFilter, Product } from '../plans.contract.ts'
import { type PlanChoice, choiceOf, choiceOfLength, lengthToShow, plansByData } from './plan-choice.ts'
import { dataInShort } from './plan-words.ts'
import { PlanCard } from './PlanCard.tsx'
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
  const length = lengthToShow(filters, form.values.length)
  const shown = plansByData(plans, length)
  const chosen = shown.find((plan) => plan.unique_id === form.values.plan)
  const { onBlur, name, ...control } = form.field('plan').control

  const choose = (plan: Product) => form.setMany(choiceOf(plan))

  const [showsAll, setShowsAll, chooseFromAll] = useAllPlans(cards, choose)

  return (
    <>
      <Card>
        <Question chosen={chosen} plans={shown.length} />
        <LengthSlider
          label="Plan length"
          options={filters}
          value={length}
          onChange={(to) => form.setMany(choiceOfLength(plans, chosen, to))}
        />
      </Card>
      <fieldset
        ref={cards}
        role="radiogroup"
        className={s.plans}
        {...control}
        onBlur={(event) => hasLeft(event) && onBlur(event)}
      >
        <legend className="visually-hidden">Prepay Plan</legend>
        <div className={s.cards}>
          {shown.map((plan) => (
            <PlanCard
              key={plan.unique_id}
              plan={plan}
              next={nextOf(plan)}
              name={name}
              checked={plan === chosen}
              onChoose={() => choose(plan)}
            />
          ))}
        </div>
        {shown.length === 0 && <p className={s.none}>{plans.length > 0 ? noneOfLength : noneAtAll}</p>}
        <FieldNote field={form.field('plan')} />
      </fieldset>
      {plans.length > 0 && (
        <button type="button" className={s.all} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide all plans' : 'Show all plans'}
          <Icon name="arrow" />
        </button>
      )}
      <SidePanel title="All Prepay Plans" open={showsAll} onClose={() => setShowsAll(false)}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <PlanTables plans={plans} chosen={chosen} onChoose={chooseFromAll} />
        </Suspense>
      </SidePanel>
    </>
  )
}

function useAllPlans(cards: RefObject<HTMLElement | null>, choose: (plan: Product) => void) {
  const leadsToCard = useRef(false)
  const [showsAll, setShowsAll] = useState(false)

  // A modal panel closes after the choice, and the focus moves to the card of the chosen plan.
  function chooseFromAll(plan: Product, { currentTarget }: MouseEvent) {
    choose(plan)
    leadsToCard.current = currentTarget.closest('dialog')?.matches(':modal') ?? false
    if (leadsToCard.current) setShowsAll(false)
  }
  useEffect(() => {
    if (!showsAll && leadsToCard.current) cards.current?.querySelector<HTMLElement>(':checked')?.focus()
    leadsToCard.current = false
  }, [cards, showsAll])

  return [showsAll, setShowsAll, chooseFromAll] as const
}

const hasLeft = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): boolean =>
  !currentTarget.contains(relatedTarget)

function Question({ chosen, plans }: { chosen: Product | undefined; plans: number }) {
  return (
    <div className={s.question}>
      <h2>How long should your plan last?</h2>
      <p role="status">{chosen ? <Pill kind="warn">{dataInShort(chosen)}</Pill> : <Pill>{counted(plans)}</Pill>}</p>
    </div>
  )
}

const noneOfLength = 'There are no Prepay Plans of this length right now. Please choose another length.'
const noneAtAll = 'There are no Prepay Plans to choose from right now. Please come back a little later.'
const counted = (plans: number): string => (plans === 1 ? '1 plan' : `${plans} plans`)
