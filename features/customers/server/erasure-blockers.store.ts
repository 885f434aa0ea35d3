import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#kit/server/db.ts'
import { disputeStates, isDisputeOpen } from '#features/disputes/disputes.states.ts'
import { endStates } from '#features/orders/orders.states.ts'

/**
 * An open order, refund, dispute, number transfer or card update, which prevents an erasure. `name` is the phone number
 * being transferred, or otherwise a reference.
 */
export type ErasureBlocker = {
  kind: 'order' | 'refund' | 'dispute' | 'transfer' | 'card update'
  name: string
  state: string
  order: string | null
}

const openDisputeStates = disputeStates.filter((state) => isDisputeOpen(state))

const erasureBlockerQueries: ((userId: string, email: string) => RawBuilder<ErasureBlocker>)[] = [
  (userId) => sql`select 'order' as kind, order_code as name, state, null as "order" from orders
    where user_id = ${userId} and state not in (${sql.join(endStates)})`,
  (_, email) => sql`select 'order' as kind, order_code as name, state, null as "order" from orders
    where user_id is null and email = ${email} and state not in (${sql.join(endStates)})`,
  (userId) => sql`select 'refund' as kind, reference as name, refunds.state, order_code as "order" from refunds
    join orders on orders.id = refunds.order_id where user_id = ${userId}
    and refunds.state in ('initiated', 'unknown', 'returned')`,
  (userId) => sql`select 'dispute' as kind, disputes.psp_reference as name, disputes.state, order_code as "order"
    from disputes join orders on orders.id = disputes.order_id
    where user_id = ${userId} and disputes.outcome is null and disputes.state in (${sql.join(openDisputeStates)})`,
  (userId) => sql`select 'transfer' as kind, porting_requests.msisdn as name, status as state, null as "order"
    from porting_requests join services on services.id = porting_requests.service_id where user_id = ${userId}
    and status in ('NEW', 'SUBMITTED', 'CANCELLING')`,
  (userId) => sql`select 'card update' as kind, reference as name, state, null as "order" from card_updates
    where user_id = ${userId} and state in ('initiated', 'unknown')`,
]

export async function findErasureBlockers(
  trx: Trx,
  { id, email }: { id: string; email: string },
): Promise<ErasureBlocker[]> {
  const erasureBlockers: ErasureBlocker[] = []
  for (const openWorkQuery of erasureBlockerQueries)
    erasureBlockers.push(...(await openWorkQuery(id, email).execute(trx)).rows)
  return erasureBlockers
}

export function describeErasureBlocker({ kind, name, state, order }: ErasureBlocker): string {
  if (kind === 'dispute') return `dispute ${name} of ${order} (${state})`
  return `${kind} ${kind === 'transfer' ? 'of ' : ''}${name} (${state})`
}
