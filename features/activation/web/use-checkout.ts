import { useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import type { Form, FormOptions } from '#kit/web/form/form.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { retryWhileBusy } from '#kit/web/retry-while-busy.ts'
import { type PaymentSubmission, usePayment } from '#features/orders/web/use-payment.ts'
import { type Activation, readActivation } from '../activation.contract.ts'
import { submitPayment } from '../pay-step.contract.ts'
import { reloadActivation, reloadOnConflict, setActivation } from './activation.queries.ts'
import { activationPurchaseId } from './wizard.ts'

type CheckoutOptions<V extends object> = Pick<FormOptions<V>, 'schema' | 'initial'> & {
  body: (values: V) => object | Promise<object>
}

export type Checkout<V extends object> = {
  form: Form<V>
  payment: PaymentSubmission
  isConfirming: boolean
}

export function useCheckout<V extends object>(
  activation: Activation,
  { schema, initial, body: bodyOf }: CheckoutOptions<V>,
): Checkout<V> {
  const api = useApi()
  const client = useQueryClient()
  const [wasConfirming, setConfirming] = useState(activation.retry)
  // While the visitor is being redirected to the next page, keep showing the previous state.
  const isConfirming = activation.state === 'PAYMENT' ? activation.retry : wasConfirming
  if (isConfirming !== wasConfirming) setConfirming(isConfirming)

  const payment = usePayment({
    purchase: activationPurchaseId,
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
      const shownTotal = {
        price: activation.balance_due,
        async onNewPrice(balance_due: string) {
          // Reload the activation, because another tab may have changed its plan. If that fails, at least show the new price.
          const latestActivation = await api
            .call(readActivation, {})
            .catch(() => ({ data: { ...activation, balance_due } }))
          setActivation(client, latestActivation.data)
        },
      }
      const pathAtSubmit = location.pathname
      const body = { ...(await bodyOf(values)), expected_total: shownTotal.price }
      try {
        const { data } = await payment.pay(shownTotal, (headers) =>
          retryWhileBusy(
            () => api.call(submitPayment, { body, headers }),
            () => location.pathname === pathAtSubmit,
          ),
        )
        setActivation(client, 'state' in data ? data : { ...activation, ...data })
      } catch (failure) {
        /*
         * The payment may have been refused because of the voucher. Reload the activation, so that the page stops
         * offering an unusable voucher.
         */
        if (activation.using_voucher && failure instanceof ApiError && failure.status === 400)
          await reloadActivation(api, client).catch(() => {})
        await reloadOnConflict(api, client, failure)
      }
    },
  })
  return { form, payment, isConfirming }
}
