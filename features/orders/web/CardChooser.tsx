import { useEffect, useId, useRef } from 'react'
import type { CardFormValues } from '#kit/contract/card.contract.ts'
import { CardTypeIcon } from '#kit/web/card/CardTypeIcon.tsx'
import { emptyCard } from '#kit/web/card/encrypted-card.ts'
import type { Form } from '#kit/web/form/form.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { cardPaymentMessages } from '../card-payment.contract.ts'
import type { CardChoice } from './use-card-choice.ts'
import * as s from './CardChooser.module.css'

type Props = {
  form: Form<CardFormValues>
  choice: CardChoice
  children?: TextFreeNode
  belowFields?: TextFreeNode
}

export function CardChooser({
  form,
  choice: { saved, isUsable, usesSaved, choose, inputs },
  children,
  belowFields,
}: Props) {
  const savedCardButtonId = useId()
  const hasSubmitted = useRef(false)
  const disabled = form.status === 'submitting'
  const { id: firstFieldId } = form.field('credit-card-number')
  // The button that was pressed is no longer on the page, so move the focus to its replacement.
  useEffect(() => {
    if (hasSubmitted.current) document.getElementById(usesSaved ? savedCardButtonId : firstFieldId)?.focus()
    hasSubmitted.current = false
  }, [usesSaved, savedCardButtonId, firstFieldId])

  function chooseCard(selection: 'saved' | 'another') {
    hasSubmitted.current = true
    if (selection === 'saved') form.resetFields(Object.keys(emptyCard) as (keyof CardFormValues)[])
    choose(selection)
  }

  const cardInputs: TextFreeNode = inputs(form)
  if (saved && usesSaved) {
    return (
      <>
        <SavedCardPanel card={saved}>
          <Button id={savedCardButtonId} kind="quiet" disabled={disabled} onClick={() => chooseCard('another')}>
            USE ANOTHER CARD
          </Button>
        </SavedCardPanel>
        {children}
      </>
    )
  }
  return (
    <>
      {saved?.is_expired && <Banner kind="warn">{cardPaymentMessages.savedCardExpired}</Banner>}
      {isUsable && (
        <p className={s.back}>
          <Button kind="quiet" disabled={disabled} onClick={() => chooseCard('saved')}>
            USE SAVED CARD
          </Button>
        </p>
      )}
      {cardInputs}
      {belowFields}
    </>
  )
}

function SavedCardPanel({ card, children }: { card: CardToken; children: TextFreeNode }) {
  const { card_type, masked_card_number, card_holder_name, formatted_expiry_date } = card
  return (
    <div role="group" aria-label="Your saved card" className={s.saved}>
      <CardTypeIcon type={card_type} />
      <p className={s.card}>
        <b>{masked_card_number}</b>
        <span>{card_holder_name}</span>
        {/\d/.test(formatted_expiry_date) && <span>Expiry {formatted_expiry_date}</span>}
      </p>
      {children}
    </div>
  )
}
