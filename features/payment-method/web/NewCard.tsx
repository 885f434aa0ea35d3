import { useEffect, useId } from 'react'
import { CardFields } from '#kit/web/card/CardFields.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { useUpdateCard } from './use-update-card.ts'
import { WaitingForBank } from './WaitingForBank.tsx'
import * as s from './payment-method.module.css'

type Props = {
  isFirst: boolean
  onBack: () => void
  onDone: () => void
}

export function NewCard({ isFirst, onBack, onDone }: Props) {
  const { form, waiting, askAgain } = useUpdateCard({ onDone })
  const heading = useId()

  // The button that opened the form is gone, so the focus moves to the first field.
  const { id: first } = form.field('credit-card-number')
  useEffect(() => document.getElementById(first)?.focus(), [first])

  if (waiting)
    return (
      <Card>
        <WaitingForBank isPaused={waiting === 'paused'} askAgain={askAgain} />
      </Card>
    )
  return (
    <Card>
      <form {...form.props} aria-labelledby={heading}>
        <h2 id={heading} className={s.heading}>
          {isFirst ? 'Add a credit card' : 'Update your card'}
        </h2>
        <FormErrors form={form} />
        <CardFields form={form} />
        <FormActions back={onBack}>
          <SubmitButton form={form} pendingText="SAVING">
            SAVE CARD
          </SubmitButton>
        </FormActions>
      </form>
    </Card>
  )
}
