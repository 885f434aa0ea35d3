import { type FieldErrors } from '#kit/contract/errors.ts'
import type { Form, FormOptions } from '#kit/web/form/form.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { saveInDoubt, useInDoubt } from './in-doubt.ts'
import { type PaymentCall, type Shown, usePayment } from './use-payment.ts'

type Options<V extends object> = Pick<FormOptions<V>, 'schema' | 'initial' | 'draftKey' | 'draftOmit'> & {
  /** Names where in the portal it is bought: there, a reload finds an order again whose outcome is not known. */
  place: string
  /** Names what is bought: there is one key for each. */
  purchase: (values: V) => string
  /** What the page shows that it costs: nothing else is charged. Undefined while nothing is chosen. */
  shows: (values: V) => Shown | undefined
  /** What is sent beside that. */
  body: (values: V) => object | Promise<object>
  /** Makes the call that pays; 202 says that its outcome is not known. */
  send: (body: object, headers: Record<string, string>) => Promise<{ status: number; data: { order_code: string } }>
  /** It is bought. Leads away from the form. */
  onPaid: (orderCode: string) => void
  /** The call has said no, before the form shows why. */
  onFailed?: (failure: unknown) => void
}

export type Purchase<V extends object> = {
  form: Form<V>
  payment: PaymentCall
  /** The outcome is not known: there is nothing to fill in. */
  isConfirming: boolean
}

/** A form that buys one thing once, however often the button is pressed, the page reloaded or an answer lost. */
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
    // What was bought leads to another page. Until that is there the button stays as it is: one more press would buy again.
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

/** The form's fields are not there to show what is said of them. */
const ofTheWhole = (errors: FieldErrors): FieldErrors => ({ __all__: Object.values(errors).flat() })
