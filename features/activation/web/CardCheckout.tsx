import { useMemo } from 'react'
import { type CardForm, cardFormSchema } from '#kit/contract/card.contract.ts'
import { errorsOf } from '#kit/contract/errors.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CardFields } from '#kit/web/card/CardFields.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Confirming } from '#features/orders/web/Confirming.tsx'
import { encryptedCard, loadEncryption, monthIn } from '#features/orders/web/encrypted-card.ts'
import type { Activation } from '../activation.contract.ts'
import { SummaryOnPhone } from './CheckoutSummary.tsx'
import { useCheckout } from './use-checkout.ts'
import { useBack } from './wizard.ts'

const noCard: CardForm = { 'credit-card-number': '', 'credit-card-name': '', 'credit-card-expiry': '', 'credit-card-cvc': '' }

export function CardCheckout({ activation }: { activation: Activation }) {
  const { card, market, serverTime } = useBootstrap()
  const now = useMemo(() => monthIn(market.zone, serverTime), [market, serverTime])
  const schema = useMemo(() => cardFormSchema(now), [now])
  const checkout = useCheckout(activation)
  const form = useForm({
    schema,
    initial: noCard,
    transform: async (values: CardForm) => ({
      payment_method: '1',
      use_saved_card: false,
      [`${card.gateway}_encrypted`]: await encryptedCard(card.publicKey, values, now),
    }),
    submit: checkout.submit,
  })
  checkout.useResumeOnLoad(form)
  const back = useBack(activation)
  const again = () => void checkout.again().catch((failure: unknown) => form.setErrors(errorsOf(failure)))
  return (
    <Card>
      {checkout.phase !== 'form' && <Confirming undecided={checkout.phase === 'undecided'} onAgain={again} />}
      <form {...form.props} hidden={checkout.phase !== 'form'} onFocus={() => void loadEncryption()}>
        <FormErrors form={form} />
        <CardFields form={form} />
        <SummaryOnPhone activation={activation} />
        <FormActions back={back}>
          <SubmitButton form={form} pendingText="PAYING">{`ACTIVATE · PAY ${formatPrice(fromWire(activation.balance_due))}`}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  )
}
