import { useEffect, useState } from 'react'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CardFields } from '#kit/web/card/CardFields.tsx'
import { cardSchemaNow, emptyCard, encryptedCard, prepareEncryption } from '#kit/web/card/encrypted-card.ts'
import type { Activation } from '../activation.contract.ts'
import { CheckoutForm } from './CheckoutForm.tsx'
import { useCheckout } from './use-checkout.ts'

/** The plan is paid for now, with a card. What is sent holds nothing of it in clear. */
export function CardCheckout({ activation }: { activation: Activation }) {
  const bootstrap = useBootstrap()
  const [schema] = useState(() => cardSchemaNow(bootstrap.market.zone))
  const checkout = useCheckout(activation, {
    schema,
    initial: emptyCard,
    body: async (card) => ({
      payment_method: '1',
      use_saved_card: false,
      ...(await encryptedCard(bootstrap, card)),
    }),
  })
  const { dirty } = checkout.form
  useEffect(() => {
    if (dirty) prepareEncryption()
  }, [dirty])

  return (
    <CheckoutForm
      activation={activation}
      checkout={checkout}
      action={`ACTIVATE · PAY ${formatPrice(fromWire(activation.balance_due))}`}
    >
      <CardFields form={checkout.form} />
    </CheckoutForm>
  )
}
