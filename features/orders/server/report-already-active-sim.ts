import type { Trx } from '#kit/server/db.ts'
import type { RejectionCause } from '#providers/network/network.port.ts'
import { replaceTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { Operation } from './operations.store.ts'
import type { Order } from './orders.store.ts'

/**
 * Creates a task when the network refuses to activate a SIM pack because the SIM is already active. Either our database has lost the pack's
 * order, or the carrier sold the SIM to somebody else. Each pack has one open task, about the latest order that failed.
 */
export async function reportAlreadyActiveSim(
  trx: Trx,
  { id: orderId, order_code: code, iccid }: Order,
  { kind }: Operation,
  fault: { code: string; meaning?: RejectionCause } | null,
): Promise<void> {
  if (kind !== 'activate_sim' || fault?.meaning !== 'already_active') return
  await replaceTask(trx, {
    kind: 'network',
    orderId,
    subject: `SIM pack ${iccid}`,
    reason:
      `SIM pack ${iccid} is unused in our tables but active on the network (${fault.code}): ` +
      `the order ${code} was cancelled without charge. ` +
      'If a backup was restored, run “reconcile --gateway-report” to find the lost order. ' +
      'If not, ask the carrier which customer has the SIM. ' +
      'Give the customer another pack',
  })
}
