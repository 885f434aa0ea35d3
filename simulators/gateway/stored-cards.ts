import { AdyenFault } from './faults.ts'
import type { Gateway } from './gateway.ts'
import type { Outcome } from './operation.ts'
import { disableRequestSchema, readRequest } from './requests.ts'
import type { FailureKind } from './state.ts'

export function disableStoredCard(gateway: Gateway, body: unknown, failure: FailureKind | null): Outcome {
  const request = readRequest(disableRequestSchema, gateway.merchantAccount, body)
  if (failure === 'refuse') throw new AdyenFault('183')
  const card = gateway.store.table('cards').get(request.recurringDetailReference)
  if (card?.shopperReference !== request.shopperReference) throw new AdyenFault('803')
  return {
    body: { response: '[detail-successfully-disabled]' },
    changes: [{ table: 'cards', key: card.id, row: null }],
  }
}
