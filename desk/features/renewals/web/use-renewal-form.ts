import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import type { SendApiRequest } from '#kit/web/desk/send-api-request.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues } from '#desk/features/staff/web/ReasonFields.tsx'
import { deskRenewalSchema, renewForCustomer, type RenewalOffer } from '../renewals.contract.ts'

type Options = {
  id: string
  service: string
  offer: RenewalOffer
  call: SendApiRequest
  onOrdered: (orderCode: string) => void
  onStale: () => void
}

const zeroAmount = '0.00'

/**
 * The form with which staff renew a customer's number. The idempotency key stays the same as long as the inputs do, so
 * a double click buys only once.
 */
export function useRenewalForm({ id, service, offer, call, onOrdered, onStale }: Options) {
  const { plan, plans, saved_card: card } = offer
  const currentPlan = plans.find(({ id: one }) => one === plan.id)
  const [attempt, setAttempt] = useState({ of: '', key: '' })
  const form = useForm({
    schema: deskRenewalSchema,
    initial: {
      pay: card ? 'saved_card' : 'voucher',
      product: currentPlan?.id ?? '',
      code: '',
      starts: plan.is_over ? 'now' : 'at_end',
      ends: plan.ends,
      total: currentPlan?.price ?? zeroAmount,
      amount: '',
      ...emptyReasonValues,
    },
    submit: (typed) => withFormErrors(submitRenewal(typed)),
    onSuccess: ({ order_code: code }) => onOrdered(code),
  })
  const selectedPlan = plans.find(({ id: one }) => one === form.values.product)

  async function submitRenewal(values: Record<string, string>): Promise<{ order_code: string }> {
    const fingerprint = JSON.stringify([values['pay'], values['product'], values['code'], values['starts'], plan.ends])
    const key = attempt.of === fingerprint ? attempt.key : crypto.randomUUID()
    setAttempt({ of: fingerprint, key })
    try {
      return await call((api) =>
        api.call(renewForCustomer, { params: { id, service }, body: values, headers: { 'idempotency-key': key } }),
      )
    } catch (failure) {
      // A 4xx response is final, so the next submission gets a new idempotency key. If there was no response, the key stays the same.
      if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500) setAttempt({ of: '', key: '' })
      if (failure instanceof ApiError && failure.status === 409) onStale()
      throw failure
    }
  }

  const total = selectedPlan?.price ?? zeroAmount
  const updateTotal = useEffectEvent(() => form.set('total', total))
  useEffect(() => {
    if (form.values.total !== total) updateTotal()
  }, [form.values.total, total])
  return { form, chosen: selectedPlan }
}
