import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { emptyCard } from '#kit/web/card/encrypted-card.ts'
import { useNewCard } from '#features/orders/web/use-new-card.tsx'
import type { Activation } from '../activation.contract.ts'
import { CheckoutForm } from './CheckoutForm.tsx'
import { useCheckout } from './use-checkout.ts'

/** The plan is paid for now, with a card. What is sent holds nothing of it in clear. */
export function CardCheckout({ activation }: { activation: Activation }) {
  const newCard = useNewCard({})
  const checkout = useCheckout(activation, {
    schema: newCard.schema,
    initial: emptyCard,
    body: async (card) => ({ payment_method: '1', ...(await newCard.fieldsOf(card)) }),
  })
  return (
    <CheckoutForm
      activation={activation}
      checkout={checkout}
      action={`ACTIVATE · PAY ${formatPrice(fromWire(activation.balance_due))}`}
    >
      {newCard.inputs(checkout.form)}
    </CheckoutForm>
  )
}
