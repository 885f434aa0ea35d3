import type { CardFormValues } from '#kit/contract/card.contract.ts'
import { ApiError, toFormErrors, type FieldErrors } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { emptyCard } from '#kit/web/card/encrypted-card.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns } from '#kit/web/widgets/Layout.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { CardChooser } from '#features/orders/web/CardChooser.tsx'
import type { PaymentPendingLabels } from '#features/orders/web/PaymentPending.tsx'
import { type PurchaseDetails, PurchaseSummary, PurchaseSummaryBar } from '#features/orders/web/PurchaseSummary.tsx'
import { PurchaseForm } from '#features/orders/web/PurchaseForm.tsx'
import { SaveCard } from '#features/orders/web/SaveCard.tsx'
import { type CardChoice, useCardChoice } from '#features/orders/web/use-card-choice.ts'
import { type Purchase, usePurchase } from '#features/orders/web/use-purchase.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { useShownPrice } from '#features/plans/web/plans.queries.ts'
import type { Service } from '#features/services/services.contract.ts'
import { addOnMessages, buyAddOn } from '../addons.contract.ts'
import * as s from './addons.module.css'

type Props = {
  service: Service
  addOn: Product
  card: CardToken | null
  back: string
  onBadChoice: (errors: FieldErrors) => void
}

type AddOnPaymentValues = CardFormValues & { save_token: boolean }

const paymentPendingLabels: PaymentPendingLabels = {
  heading: 'We’re confirming your purchase…',
  late: 'This is taking longer than usual',
  either: 'You’ll either get your Add-On or keep your money.',
  promise: 'You will not be charged twice.',
}

export function AddOnPayment({ service, addOn, card, back, onBadChoice }: Props) {
  const cardChoice = useCardChoice(card, {})
  const purchase = useAddOnPurchase({ service, addOn, choice: cardChoice, onBadChoice })
  const { form } = purchase
  const replacesSavedCard = card !== null && !cardChoice.usesSaved && form.values.save_token
  const note = card && !replacesSavedCard && <p className={s.note}>{addOnMessages.otherCard}</p>
  const purchaseDetails = buildPurchaseDetails(service, addOn)

  return (
    <Columns aside={<PurchaseSummary bought={purchaseDetails} />} narrow="hidden">
      <PurchaseForm purchase={purchase} words={paymentPendingLabels}>
        <PurchaseSummaryBar bought={purchaseDetails} />
        <Card>
          <h2 className={s.heading}>Payment</h2>
          <FormErrors form={form} />
          <CardChooser
            form={form}
            choice={cardChoice}
            belowFields={
              <>
                <SaveCard form={form} replaces={card !== null} />
                {note}
              </>
            }
          >
            {note}
          </CardChooser>
          <div className={s.actions}>
            <SubmitButton form={form} wide pendingText="PAYING">
              CONFIRM & PAY
            </SubmitButton>
            <Button kind="plain" wide href={back}>
              Back
            </Button>
          </div>
        </Card>
      </PurchaseForm>
    </Columns>
  )
}

type AddOnPurchaseOptions = Pick<Props, 'service' | 'addOn' | 'onBadChoice'> & { choice: CardChoice }

function useAddOnPurchase({ service, addOn, choice, onBadChoice }: AddOnPurchaseOptions): Purchase<AddOnPaymentValues> {
  const api = useApi()
  const navigate = useNavigate()
  const shown = useShownPrice()
  const draftKey = `addon-${service.uuid}-${addOn.unique_id}`
  return usePurchase<AddOnPaymentValues>({
    schema: choice.schema,
    initial: { ...emptyCard, save_token: false },
    place: draftKey,
    purchase: () => draftKey,
    shows: () => shown(addOn),
    body: async (values) => ({
      uuid: service.uuid,
      product: addOn.unique_id,
      payment_method: '1',
      save_token: !choice.usesSaved && values.save_token,
      ...(await choice.fieldsOf(values)),
    }),
    send: (body, headers) => api.call(buyAddOn, { body, headers }),
    // Replace the history entry, so that the browser's Back button does not return to the payment form.
    onPaid: (orderCode) => navigate(successPath(service.uuid, orderCode), { replace: true }),
    onFailed(failure) {
      const errors = failure instanceof ApiError && failure.status === 400 ? toFormErrors(failure) : {}
      if (errors['product']) onBadChoice({ product: errors['product'] })
    },
  })
}

function successPath(uuid: string, orderCode: string): string {
  const searchParams = new URLSearchParams({ order: orderCode })
  return `/services/${uuid}/addons/success/?${searchParams}`
}

const buildPurchaseDetails = ({ phone_number }: Service, { title, price }: Product): PurchaseDetails => ({
  title,
  price,
  rows: [
    ['Prepay Plan Number', phone_number],
    ['Selected Add-On', title],
  ],
})
