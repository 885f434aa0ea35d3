import { useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import type { Form, FormOptions } from '#kit/web/form/form.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { repeatWhileBusy } from '#kit/web/repeat-while-busy.ts'
import { type PaymentCall, usePayment } from '#features/orders/web/use-payment.ts'
import { type Activation, readActivation } from '../activation.contract.ts'
import { submitPayment } from '../pay-step.contract.ts'
import { reloadActivation, reloadIfMovedOn, setActivation } from './activation.queries.ts'
import { activationPurchase } from './wizard.ts'

type Asked<V extends object> = Pick<FormOptions<V>, 'schema' | 'initial'> & {
  /** What is sent beside the total that is shown. */
  body: (values: V) => object | Promise<object>
}

export type Checkout<V extends object> = {
  form: Form<V>
  payment: PaymentCall
  /** The outcome of the payment is not known: there is nothing to fill in. */
  isConfirming: boolean
}

/** A form that pays for the activation. Whatever comes of it, the activation's state says where the visitor goes. */
export function useCheckout<V extends object>(
  activation: Activation,
  { schema, initial, body: bodyOf }: Asked<V>,
): Checkout<V> {
  const api = useApi()
  const client = useQueryClient()
  const [wasConfirming, setConfirming] = useState(activation.retry)
  // A page that is being left stays as it is.
  const isConfirming = activation.state === 'PAYMENT' ? activation.retry : wasConfirming
  if (isConfirming !== wasConfirming) setConfirming(isConfirming)

  const payment = usePayment({
    purchase: activationPurchase,
    inDoubt: isConfirming ? activation.order_code : null,
    onPaid: () => void reloadActivation(api, client),
    onRefused(errors) {
      form.setErrors(errors)
      setActivation(client, { ...activation, order_code: null, retry: false })
    },
  })
  const form = useForm<V, void>({
    schema,
    initial,
    async submit(values) {
      const shown = {
        price: activation.balance_due,
        async onNewPrice(balance_due: string) {
          // Perhaps another plan was chosen in another tab. Should that not be told, what it costs is known.
          const now = await api.call(readActivation, {}).catch(() => ({ data: { ...activation, balance_due } }))
          setActivation(client, now.data)
        },
      }
      const page = location.pathname
      const body = { ...(await bodyOf(values)), expected_total: shown.price }
      try {
        const { data } = await payment.pay(shown, (headers) =>
          repeatWhileBusy(
            () => api.call(submitPayment, { body, headers }),
            () => location.pathname === page,
          ),
        )
        setActivation(client, 'state' in data ? data : { ...activation, ...data })
      } catch (failure) {
        // The refusal may be about the voucher, which the page then no longer offers.
        if (activation.using_voucher && failure instanceof ApiError && failure.status === 400)
          await reloadActivation(api, client).catch(() => {})
        await reloadIfMovedOn(api, client, failure)
      }
    },
  })
  return { form, payment, isConfirming }
}
