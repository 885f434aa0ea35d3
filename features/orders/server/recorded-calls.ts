import type { AwayLog } from '#kit/server/database-away.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { AuthoriseOutcome, CardGateway, ModificationOutcome } from '#providers/card/card.port.ts'
import type { MobileNetwork, NetworkAnswer } from '#providers/network/network.port.ts'
import { countOrderEvent } from './order-events.store.ts'
import { findOrderByCode } from './orders.store.ts'

type Deps = { db: Db; log: Log; isAway: AwayLog['note'] }
type Told = { to: string; detail: string } | null

/** Wraps the gateway so that each response that no payment attempt or refund stores becomes an event of its order. */
export function recordCardCalls(card: CardGateway, deps: Deps): CardGateway {
  const recorded =
    <Input extends { reference: string }, Answer>(
      name: string,
      call: (input: Input) => Promise<Answer>,
      told: (answer: Answer) => Told,
    ) =>
    async (input: Input): Promise<Answer> => {
      const answer = await call(input)
      await record(deps, { name, reference: input.reference }, told(answer))
      return answer
    }
  return {
    ...card,
    authorise: recorded('authorise', card.authorise, toldOfAuthorisation),
    capture: recorded('capture', card.capture, toldOfModification),
    cancel: recorded('cancel', card.cancel, toldOfModification),
    refund: recorded('refund', card.refund, toldOfModification),
    technicalCancel: recorded('technicalCancel', card.technicalCancel, toldOfModification),
  }
}

/** Wraps the network in the same way: `network_operations` stores the outcome, but not the network's message. */
export const recordNetworkCalls = (network: MobileNetwork, deps: Deps): MobileNetwork => ({
  ...network,
  async place(order) {
    const answer = await network.place(order)
    await record(deps, { name: order.kind, reference: order.externalId }, toldOfOperation(answer))
    return answer
  },
  async read(externalId, line) {
    const answer = await network.read(externalId, line)
    if (answer.outcome !== 'absent')
      await record(deps, { name: 'read', reference: externalId }, toldOfOperation(answer))
    return answer
  },
})

function toldOfAuthorisation(answer: AuthoriseOutcome): Told {
  if (answer.outcome === 'unknown') return { to: 'unknown', detail: answer.why }
  if (answer.outcome === 'fault') return { to: 'fault', detail: `${answer.code} ${answer.message}` }
  return answer.outcome === 'pending' ? { to: 'pending', detail: answer.pspReference } : null
}

function toldOfModification(answer: ModificationOutcome): Told {
  if (answer.outcome === 'unknown') return { to: 'unknown', detail: answer.why }
  return answer.outcome === 'refused' ? { to: 'refused', detail: `${answer.code} ${answer.message}` } : null
}

function toldOfOperation(answer: NetworkAnswer): Told {
  switch (answer.outcome) {
    case 'unknown':
      return { to: 'unknown', detail: answer.why }
    case 'rejected':
      return { to: 'rejected', detail: `${answer.code} ${answer.message}` }
    case 'known':
      return answer.fault && { to: 'failed', detail: `${answer.fault.code} ${answer.fault.message}` }
  }
}

/** A failure to record the event does not stop the order. */
async function record(
  { db, log, isAway }: Deps,
  { name, reference }: { name: string; reference: string },
  told: Told,
): Promise<void> {
  const code = /^(FT[A-Z0-9]+)-/.exec(reference)?.[1]
  if (!told || !code) return
  try {
    const order = await findOrderByCode(db, code)
    if (order) await countOrderEvent(db, { orderId: order.id, kind: 'call', name, subject: reference, ...told })
  } catch (error) {
    if (!isAway(error))
      log.warn({ reference, reason: String(error) }, 'an answer of a provider could not be written down')
  }
}
