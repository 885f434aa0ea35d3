import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { useApi } from '#kit/web/api.tsx'
import { emptyCard } from '#kit/web/card/encrypted-card.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { CardChooser } from '#features/orders/web/CardChooser.tsx'
import { SaveCard } from '#features/orders/web/SaveCard.tsx'
import { useCardChoice } from '#features/orders/web/use-card-choice.ts'
import type { Activation } from '../activation.contract.ts'
import { CheckoutForm } from './CheckoutForm.tsx'
import { useCheckout } from './use-checkout.ts'

const noAdditionalFields = {}

export function CardCheckout({ activation }: { activation: Activation }) {
  // Refetch the account after 5 seconds, because another tab or a late payment result may have changed the saved card.
  const user = useQuery({ ...accountQuery(useApi()), staleTime: 5_000 }).data?.user
  const savedCard = user?.email_verified ? user.credit_card_token : null
  const cardChoice = useCardChoice(savedCard, noAdditionalFields)
  const checkout = useCheckout(activation, {
    schema: cardChoice.schema,
    initial: { ...emptyCard, save_token: true },
    body: async (values) => ({
      payment_method: '1',
      ...(!cardChoice.usesSaved && { save_token: values.save_token }),
      ...(await cardChoice.fieldsOf(values)),
    }),
  })
  const { form } = checkout
  return (
    <CheckoutForm
      activation={activation}
      checkout={checkout}
      action={`ACTIVATE · PAY ${formatPrice(decimalToCents(activation.balance_due))}`}
    >
      <CardChooser
        form={form}
        choice={cardChoice}
        belowFields={<SaveCard form={form} replaces={savedCard !== null} />}
      />
    </CheckoutForm>
  )
}
