import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import type { CallAbout } from '#kit/web/desk/call-about.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { noReason } from '#desk/features/staff/web/ReasonFields.tsx'
import { renewForBody, renewForCustomer, type RenewalOffer } from '../renewals.contract.ts'

type Options = {
  id: string
  service: string
  offer: RenewalOffer
  call: CallAbout
  onOrdered: (orderCode: string) => void
  onStale: () => void
}

const nothing = '0.00'

/** Form that renews a number for its customer. The idempotency key stays the same while the inputs do, so that pressing twice buys once. */
export function useRenewFor({ id, service, offer, call, onOrdered, onStale }: Options) {
  const { plan, plans, saved_card: card } = offer
  const present = plans.find(({ id: one }) => one === plan.id)
  const [press, setPress] = useState({ of: '', key: '' })
  const form = useForm({
    schema: renewForBody,
    initial: {
      pay: card ? 'saved_card' : 'voucher',
      product: present?.id ?? '',
      code: '',
      starts: plan.is_over ? 'now' : 'at_end',
      ends: plan.ends,
      total: present?.price ?? nothing,
      amount: '',
      ...noReason,
    },
    submit: (typed) => inWords(send(typed)),
    onSuccess: ({ order_code: code }) => onOrdered(code),
  })
  const chosen = plans.find(({ id: one }) => one === form.values.product)

  async function send(typed: Record<string, string>): Promise<{ order_code: string }> {
    const of = JSON.stringify([typed['pay'], typed['product'], typed['code'], typed['starts'], plan.ends])
    const key = press.of === of ? press.key : crypto.randomUUID()
    setPress({ of, key })
    try {
      return await call((api) =>
        api.call(renewForCustomer, { params: { id, service }, body: typed, headers: { 'idempotency-key': key } }),
      )
    } catch (failure) {
      // A 4xx response is final, so the next press gets a new key. Without a response the key stays the same.
      if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500) setPress({ of: '', key: '' })
      if (failure instanceof ApiError && failure.status === 409) onStale()
      throw failure
    }
  }

  const total = chosen?.price ?? nothing
  const takePrice = useEffectEvent(() => form.set('total', total))
  useEffect(() => {
    if (form.values.total !== total) takePrice()
  }, [form.values.total, total])
  return { form, chosen }
}
