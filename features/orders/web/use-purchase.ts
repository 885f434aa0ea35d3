import { type FieldErrors } from '#kit/contract/errors.ts'
import type { Form, FormOptions } from '#kit/web/form/form.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { saveInDoubt, useInDoubt } from './in-doubt.ts'
import { type PaymentCall, type Shown, usePayment } from './use-payment.ts'

type Options<V extends object> = Pick<FormOptions<V>, 'schema' | 'initial' | 'draftKey' | 'draftOmit'> & {
  /** Identifies the purchase's place in the portal, so that a reload finds an order with an unknown outcome again. */
  place: string
  purchase: (values: V) => string
  /** The price that the page shows; nothing else is charged. `undefined` while nothing is chosen. */
  shows: (values: V) => Shown | undefined
  body: (values: V) => object | Promise<object>
  /** Sends the paying request. Status 202 means that the outcome is not known yet. */
  send: (body: object, headers: Record<string, string>) => Promise<{ status: number; data: { order_code: string } }>
  onPaid: (orderCode: string) => void
  onFailed?: (failure: unknown) => void
}

export type Purchase<V extends object> = {
  form: Form<V>
  payment: PaymentCall
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
  ...asked
}: Options<V>): Purchase<V> {
  const [inDoubt, setInDoubt] = useInDoubt(place)

  const form = useForm<V, number>({
    ...asked,
    async submit(values) {
      const shown = shows(values)
      const body = { ...(await bodyOf(values)), expected_total: shown?.price }
      try {
        const { status, data } = await payment.pay(shown, (headers) => send(body, headers))
        if (status === 202) setInDoubt({ order_code: data.order_code, purchase: bought })
        else onPaid(data.order_code)
        return status
      } catch (failure) {
        onFailed?.(failure)
        throw failure
      }
    },
    // After a purchase the page navigates away. The promise never resolves, so that the button stays disabled and
    // cannot buy again.
    onSuccess: (status) => (status === 202 ? undefined : new Promise<void>(() => {})),
  })

  const bought = inDoubt?.purchase ?? purchase(form.values)
  const payment = usePayment({
    purchase: bought,
    inDoubt: inDoubt?.order_code ?? null,
    onPaid() {
      if (!inDoubt) return
      saveInDoubt(place, null)
      onPaid(inDoubt.order_code)
    },
    onRefused(errors) {
      form.setErrors(ofTheWhole(errors))
      setInDoubt(null)
    },
  })
  return { form, payment, isConfirming: inDoubt !== null }
}

/** The fields are not on the page while the outcome is open, so their messages are shown for the whole form. */
const ofTheWhole = (errors: FieldErrors): FieldErrors => ({ __all__: Object.values(errors).flat() })
