import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { endMatchingTasks, createTask } from './operator-tasks.store.ts'

const maxStateLength = 60

type NetworkOrderReference = {
  externalId: string
  orderId?: string
  what: 'order' | 'transfer' | 'number release'
  /**
   * Locks the order, transfer or number release, and returns whether it is still awaiting a response. Another worker may
   * already have received a usable response.
   */
  isOpen(trx: Trx): Promise<boolean>
}

/**
 * A network response that does not reveal the outcome; the fields are those in `NetworkAnswer`. If both are absent, the
 * network simply did not respond.
 */
type UnusableResponse = { contradiction?: string; unknownState?: string }

/** Creates a task if the network's order names a different SIM or number, or is in an unknown state. */
export async function reportUnusableResponse(
  db: Db,
  awaitingRecord: NetworkOrderReference,
  answer: UnusableResponse,
): Promise<void> {
  if (answer.contradiction === undefined && answer.unknownState === undefined) return
  await transact(db, async (trx) => {
    if (await awaitingRecord.isOpen(trx)) await createResponseTasks(trx, awaitingRecord, answer)
  })
}

async function createResponseTasks(
  trx: Trx,
  { externalId, orderId, what }: NetworkOrderReference,
  { contradiction, unknownState: state }: UnusableResponse,
): Promise<void> {
  const createResponseTask = (reason: string): Promise<void> =>
    createTask(trx, { kind: 'network', subject: externalId, reason, ...(orderId !== undefined && { orderId }) })
  if (contradiction !== undefined)
    await createResponseTask(
      `The network’s order ${externalId} names a different SIM or number (${contradiction}). ` +
        `We ignore that response, so the ${what} waits. Ask the carrier to correct or cancel order ${externalId}. ` +
        'We’ll keep checking with the network.' +
        (what === 'order' ? ' Until then nothing is delivered, and the order cannot be cancelled' : ''),
    )
  if (state !== undefined)
    await createResponseTask(
      `The network’s order ${externalId} is in the state “${state.slice(0, maxStateLength)}”, which the portal does not recognise: ` +
        `the ${what} waits. Ask the carrier what the state means, and add it to the states in network.json (docs/carriers.md)`,
    )
}

export const endUnusableResponseTasks = (
  db: Db | Trx,
  { externalId, orderId }: Pick<NetworkOrderReference, 'externalId' | 'orderId'>,
): Promise<void> =>
  endMatchingTasks(db, { kind: 'network', subject: externalId, ...(orderId !== undefined && { orderId }) })
