import { formatNational } from '#kit/contract/phone.ts'
import type { CancelOutcome } from '#features/porting/server/cancel-port.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { maskNumbers } from '#desk/features/orders/server/order.labels.ts'

export function cancelOutcomeText(
  result: Exclude<CancelOutcome, { outcome: 'impossible' }>,
  { msisdn, donor_name: donor }: ListedPort,
): string {
  switch (result.outcome) {
    case 'cancelled':
      return `Cancelled. ${formatNational(msisdn)} stays with ${donor}. We’ll tell the customer by email.`
    case 'undecided':
      return 'No answer from the network yet. We’ll keep checking, and the answer will appear here.'
    case 'refused': {
      const why = [result.message ?? 'The network refused.', result.code && `(${result.code})`]
        .filter(Boolean)
        .join(' ')
      return `Too late: the network can no longer cancel the transfer, so it continues. ${maskNumbers(why)}`
    }
    case 'over':
      return result.status === 'COMPLETED'
        ? 'Too late: the number has already been transferred.'
        : 'The transfer had already ended.'
  }
}
