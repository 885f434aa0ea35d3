import { formatNational } from '#kit/contract/phone.ts'
import type { CancelOutcome } from '#features/porting/server/cancel-port.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { withoutNumbers } from '#desk/features/orders/server/order-words.present.ts'

export function saidOf(
  result: Exclude<CancelOutcome, { outcome: 'impossible' }>,
  { msisdn, donor_name: donor }: ListedPort,
): string {
  switch (result.outcome) {
    case 'cancelled':
      return `Called off: ${formatNational(msisdn)} stays with ${donor}. The customer is told by mail.`
    case 'undecided':
      return 'The network has not said yet. It is asked on by itself, and what it says stands here.'
    case 'refused': {
      const why = [result.message ?? 'It said no.', result.code && `(${result.code})`].filter(Boolean).join(' ')
      return `Too late: the network does not call it off any more, and it goes on. ${withoutNumbers(why)}`
    }
    case 'over':
      return result.status === 'COMPLETED'
        ? 'Too late: the number has come meanwhile.'
        : 'It was over before it could be called off.'
  }
}
