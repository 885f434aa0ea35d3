import { type FieldErrors } from '#kit/contract/errors.ts'
import type { Form, FormOptions } from '#kit/web/form/form.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { saveUnresolvedOrder, useUnresolvedOrder } from './unresolved-order.ts'
import { type PaymentSubmission, type ShownPrice, usePayment } from './use-payment.ts'

type PurchaseOptions<V extends object> = Pick<FormOptions<V>, 'schema' | 'initial' | 'draftKey' | 'draftOmit'> & {
  /** Identifies where in the portal the purchase is made, so that an order with an unknown outcome is found again after a reload. */
  place: string
  purchase: (values: V) => string
  /** The price displayed on the page, which is the only price that can be charged. `undefined` while nothing is selected. */
  shows: (values: V) => ShownPrice | undefined
  body: (values: V) => object | Promise<object>
  /** Sends the payment request. Status 202 means that the outcome is not known yet. */
  send: (body: object, headers: Record<string, string>) => Promise<{ status: number; data: { order_code: string } }>
  onPaid: (orderCode: string) => void
  onFailed?: (failure: unknown) => void
}

export type Purchase<V extends object> = {
  form: Form<V>
  payment: PaymentSubmission
  isConfirming: boolean
}

export function usePurchase<V extends object>({
  place,
  purchase,
  shows,
  body: bodyOf,
  send,
  onPaid,
  onFailed,
  ...formOptions
}: PurchaseOptions<V>): Purchase<V> {
  const [inDoubt, setInDoubt] = useUnresolvedOrder(place)

  const form = useForm<V, number>({
    ...formOptions,
    async submit(values) {
      const shownPrice = shows(values)
      const body = { ...(await bodyOf(values)), expected_total: shownPrice?.price }
      try {
        const { status, data } = await payment.pay(shownPrice, (headers) => send(body, headers))
        if (status === 202) setInDoubt({ order_code: data.order_code, purchase: purchaseId })
        else onPaid(data.order_code)
        return status
      } catch (failure) {
        onFailed?.(failure)
        throw failure
      }
    },
    // After a purchase, the page navigates away. This promise never resolves, so that the button stays disabled in the meantime.
    onSuccess: (status) => (status === 202 ? undefined : new Promise<void>(() => {})),
  })

  const purchaseId = inDoubt?.purchase ?? purchase(form.values)
  const payment = usePayment({
    purchase: purchaseId,
    inDoubt: inDoubt?.order_code ?? null,
    onPaid() {
      if (!inDoubt) return
      saveUnresolvedOrder(place, null)
      onPaid(inDoubt.order_code)
    },
    onRefused(errors) {
      form.setErrors(toFormErrors(errors))
      setInDoubt(null)
    },
  })
  return { form, payment, isConfirming: inDoubt !== null }
}

/** Turns field errors into form errors, because the fields are not on the page while the outcome is unknown. */
const toFormErrors = (errors: FieldErrors): FieldErrors => ({ __all__: Object.values(errors).flat() })
