import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { ApiError, errorsOf } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import type { Form } from '#kit/web/form/use-form.ts'
import { usePayment } from '#features/orders/web/use-payment.ts'
import { type Activation, submitPayment } from '../activation.contract.ts'
import { reloadActivation, setActivation } from './activation.queries.ts'

/** Pays for the activation; whatever comes of it, the activation's state says where the visitor goes. */
export function useCheckout(activation: Activation) {
  const api = useApi()
  const client = useQueryClient()
  const payment = usePayment<Activation>({
    purpose: 'activation',
    onAccepted: (answer) => (answer ? setActivation(client, answer) : reloadActivation(client)),
  })

  async function submit(body: Record<string, unknown>): Promise<void> {
    try {
      await payment.pay((headers) => api.call(submitPayment, { body, headers }))
    } catch (failure) {
      // Another tab has paid, or the wizard has moved on: the state tells.
      if (!(failure instanceof ApiError) || failure.status !== 409) throw failure
      await reloadActivation(client)
    }
  }

  /** Whoever comes back while the outcome is open waits for it; a refusal is shown in the form. */
  function useResumeOnLoad(form: Pick<Form<object>, 'setErrors'>): void {
    const resume = useEffectEvent((orderCode: string) => {
      if (payment.phase === 'form') payment.confirm(orderCode).catch((failure: unknown) => form.setErrors(errorsOf(failure)))
    })
    const { retry, order_code: orderCode } = activation
    useEffect(() => {
      if (retry && orderCode) resume(orderCode)
    }, [retry, orderCode])
  }

  return { phase: payment.phase, submit, again: payment.again, useResumeOnLoad }
}
