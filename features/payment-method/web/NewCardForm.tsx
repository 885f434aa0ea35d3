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

export function NewCardForm({ isFirst, onBack, onDone }: Props) {
  const { form, waiting, askAgain } = useUpdateCard({ onDone })
  const headingId = useId()

  // The form replaces the button that opened it, so move the keyboard focus to the first field.
  const { id: firstFieldId } = form.field('credit-card-number')
  useEffect(() => document.getElementById(firstFieldId)?.focus(), [firstFieldId])

  if (waiting)
    return (
      <Card>
        <WaitingForBank isPaused={waiting === 'paused'} askAgain={askAgain} />
      </Card>
    )
  return (
    <Card>
      <form {...form.props} aria-labelledby={headingId}>
        <h2 id={headingId} className={s.heading}>
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
