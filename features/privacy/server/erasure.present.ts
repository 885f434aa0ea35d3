import { formatNational } from '#kit/contract/phone.ts'
import type { listNumbers } from '#features/customers/server/customer.store.ts'
import type { ErasureBlocker } from '#features/customers/server/erasure-blockers.store.ts'
import type { ErasureView } from '../privacy.contract.ts'
import type { ErasureRequest } from './erasure-requests.store.ts'

export function describeErasureBlocker({ kind, name, order }: ErasureBlocker): string {
  switch (kind) {
    case 'order':
      return `Order ${name} isn’t complete yet. Please try again when it is.`
    case 'refund':
      return `The refund for order ${order} is still on its way. Please try again once you have it.`
    case 'dispute':
      return `The payment for order ${order} is disputed with your bank. Please try again once the dispute is decided.`
    case 'transfer':
      return `The transfer of ${formatNational(name)} isn’t finished. Cancel it, or try again once it is.`
    case 'card update':
      return 'We’re still saving your card. Please try again in a few minutes.'
  }
}

type ErasureData = {
  waiting: ErasureRequest | undefined
  open: readonly ErasureBlocker[]
  numbers: Awaited<ReturnType<typeof listNumbers>>
}

export const presentErasure = ({ waiting, open, numbers }: ErasureData): ErasureView => ({
  waiting: waiting?.due_at ? { due: waiting.due_at.toISOString(), is_put_off: waiting.put_off_at !== null } : null,
  in_the_way: open.map(describeErasureBlocker),
  lost: numbers
    .filter(({ released_at: at }) => at === null)
    .map(({ msisdn, plan, expires_at: ends, next_plan, auto_renewal }) => ({
      number: formatNational(msisdn),
      plan,
      ends: ends?.toISOString() ?? null,
      next_plan,
      auto_renewal: auto_renewal ?? false,
    })),
})
