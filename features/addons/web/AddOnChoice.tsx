import { type FocusEvent, useId } from 'react'
import { FieldNote } from '#kit/web/form/FieldNote.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import type { Product } from '#features/plans/plans.contract.ts'
import { AddOnCard } from './AddOnCard.tsx'
import * as s from './addons.module.css'

type Props = { form: Form<{ product: string }>; addOns: readonly Product[]; back: string }

const addOnGroups = [
  { title: 'Extra Data', roaming: false },
  { title: 'International Roaming Add-Ons and International Calls', roaming: true },
]

export function AddOnChoice({ form, addOns, back }: Props) {
  const id = useId()
  const field = form.field('product')
  const { onBlur, name, ...control } = field.control
  const chosenAddOn = addOns.find(({ unique_id }) => unique_id === form.values.product)

  function handleBlur(event: FocusEvent<HTMLElement>) {
    const { currentTarget, relatedTarget } = event
    // `relatedTarget` is null when the customer leaves the page. Validate only when focus moves to another element outside this choice.
    if (relatedTarget && !currentTarget.contains(relatedTarget)) onBlur(event)
  }

  if (addOns.length === 0)
    return <Card>There are no Add-Ons to choose from right now. Please come back a little later.</Card>
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <fieldset role="radiogroup" {...control} onBlur={handleBlur} className={s.choice}>
        <legend className="visually-hidden">Add-On</legend>
        {addOnGroups.map(({ title, roaming }) => {
          const cards = addOns.filter((addOn) => addOn.roaming === roaming)
          const heading = `${id}${roaming}`
          return (
            cards.length > 0 && (
              <div key={title} role="group" aria-labelledby={heading}>
                <h2 id={heading}>{title}</h2>
                <div className={s.cards}>
                  {cards.map((addOn) => (
                    <AddOnCard
                      key={addOn.unique_id}
                      addOn={addOn}
                      name={name}
                      checked={addOn === chosenAddOn}
                      onChoose={() => form.set('product', addOn.unique_id)}
                    />
                  ))}
                </div>
              </div>
            )
          )
        })}
        <FieldNote field={field} />
      </fieldset>
      <FormActions back={back} backText="Cancel">
        <SubmitButton form={form} disabled={!chosenAddOn}>
          CONTINUE
        </SubmitButton>
      </FormActions>
    </form>
  )
}
