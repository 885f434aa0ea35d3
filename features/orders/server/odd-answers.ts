import type { Db } from '#kit/server/db.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { Operation } from './operations.store.ts'

const maxWordLength = 60

/** Makes a task of an answer of the network that names another line, or a state that the product does not know. */
export async function reportOddAnswer(
  db: Db,
  operation: Operation,
  { contradiction, unknownState: state }: NetworkAnswer & { outcome: 'unknown' },
): Promise<void> {
  if (contradiction !== undefined)
    await report(
      db,
      operation,
      `the network answers for ${operation.external_id} with another line (${contradiction}): nothing is activated on that answer, and ` +
        'the order waits. Have the network correct its order; it is asked again all the time',
    )
  if (state !== undefined)
    await report(
      db,
      operation,
      `the network says that ${operation.external_id} is “${state.slice(0, maxWordLength)}”, a state that this product does not know: ` +
        'the order waits. Ask the network what it means, and add it to the states in network.json (docs/carriers.md)',
    )
}

export const reportRevokedFailure = (db: Db, operation: Operation): Promise<void> =>
  report(
    db,
    operation,
    `the network said that ${operation.external_id} had failed, and when asked again that it had not: the order goes on. ` +
      'Check at the network that the customer has what they ordered, once',
  )

const report = (db: Db, { order_id: orderId, external_id: subject }: Operation, reason: string): Promise<void> =>
  reportToOperator(db, { kind: 'network', orderId, subject, reason })
