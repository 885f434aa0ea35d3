import type { DatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { AuthorisationOutcome, CardGateway, ModificationOutcome } from '#providers/card/card.port.ts'
import type { MobileNetwork, NetworkAnswer } from '#providers/network/network.port.ts'
import { countOrderEvent } from './order-events.store.ts'
import { findOrderByCode } from './orders.store.ts'
import { findOrderCode } from './references.present.ts'

type ResponseRecorderDeps = { db: Db; log: Log; noteOutage: DatabaseOutageLog['note'] }
type ResponseRecord = { to: string; detail: string } | null

/** Wraps the card gateway, and records an order event for any response that no other table stores. */
export function recordGatewayResponses(card: CardGateway, deps: ResponseRecorderDeps): CardGateway {
  const withRecording =
    <Input extends { reference: string }, Answer>(
      name: string,
      call: (input: Input) => Promise<Answer>,
      recordOf: (answer: Answer) => ResponseRecord,
    ) =>
    async (input: Input): Promise<Answer> => {
      const response = await call(input)
      await recordProviderResponse(deps, { name, reference: input.reference }, recordOf(response))
      return response
    }
  return {
    ...card,
    authorise: withRecording('authorise', card.authorise, authorisationRecord),
    capture: withRecording('capture', card.capture, modificationRecord),
    cancel: withRecording('cancel', card.cancel, modificationRecord),
    refund: withRecording('refund', card.refund, modificationRecord),
    technicalCancel: withRecording('technicalCancel', card.technicalCancel, modificationRecord),
  }
}

/**
 * Wraps the mobile network, and records each failure as an order event, because `network_operations` does not store the
 * network's message.
 */
export const recordNetworkResponses = (network: MobileNetwork, deps: ResponseRecorderDeps): MobileNetwork => ({
  ...network,
  async place(order) {
    const response = await network.place(order)
    await recordProviderResponse(deps, { name: order.kind, reference: order.externalId }, operationRecord(response))
    return response
  },
  async read(externalId, line) {
    const response = await network.read(externalId, line)
    if (response.outcome !== 'absent')
      await recordProviderResponse(deps, { name: 'read', reference: externalId }, operationRecord(response))
    return response
  },
})

function authorisationRecord(answer: AuthorisationOutcome): ResponseRecord {
  if (answer.outcome === 'unknown') return { to: 'unknown', detail: answer.why }
  if (answer.outcome === 'fault') return { to: 'fault', detail: `${answer.code} ${answer.message}` }
  return answer.outcome === 'pending' ? { to: 'pending', detail: answer.pspReference } : null
}

function modificationRecord(answer: ModificationOutcome): ResponseRecord {
  if (answer.outcome === 'unknown') return { to: 'unknown', detail: answer.why }
  return answer.outcome === 'refused' ? { to: 'refused', detail: `${answer.code} ${answer.message}` } : null
}

function operationRecord(answer: NetworkAnswer): ResponseRecord {
  switch (answer.outcome) {
    case 'unknown':
      return { to: 'unknown', detail: answer.why }
    case 'rejected':
      return { to: 'rejected', detail: `${answer.code} ${answer.message}` }
    case 'known':
      return answer.fault && { to: 'failed', detail: `${answer.fault.code} ${answer.fault.message}` }
  }
}

/** Records a response as an order event. If that fails, the error is only logged, and the order continues. */
async function recordProviderResponse(
  { db, log, noteOutage }: ResponseRecorderDeps,
  { name, reference }: { name: string; reference: string },
  callRecord: ResponseRecord,
): Promise<void> {
  const orderCode = findOrderCode(reference)
  if (!callRecord || !orderCode) return
  try {
    const order = await findOrderByCode(db, orderCode)
    if (order) await countOrderEvent(db, { orderId: order.id, kind: 'call', name, subject: reference, ...callRecord })
  } catch (error) {
    if (!noteOutage(error))
      log.warn({ reference, reason: String(error) }, 'a response of a provider could not be recorded')
  }
}
