import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#kit/server/db.ts'
import { disputeStates, isDisputeOpen } from '#features/disputes/disputes.states.ts'
import { endStates } from '#features/orders/orders.states.ts'

/** What has to be over before a customer can be erased, each as a sentence would name it: one query a line. */
const checks: ((userId: string, email: string) => RawBuilder<{ open: string }>)[] = [
  (userId) => sql`select 'order ' || order_code || ' (' || state || ')' as open from orders
    where user_id = ${userId} and state not in (${sql.join(endStates)})`,
  (_, email) => sql`select 'order ' || order_code || ' (' || state || ')' as open from orders
    where user_id is null and email = ${email} and state not in (${sql.join(endStates)})`,
  (userId) => sql`select 'refund ' || reference || ' (' || refunds.state || ')' as open from refunds
    join orders on orders.id = refunds.order_id where user_id = ${userId}
    and refunds.state in ('initiated', 'unknown', 'returned')`,
  (
    userId,
  ) => sql`select 'dispute ' || disputes.psp_reference || ' of ' || order_code || ' (' || disputes.state || ')' as open
    from disputes join orders on orders.id = disputes.order_id
    where user_id = ${userId} and disputes.outcome is null
    and disputes.state in (${sql.join(disputeStates.filter((state) => isDisputeOpen(state)))})`,
  (
    userId,
  ) => sql`select 'transfer of ' || porting_requests.msisdn || ' (' || status || ')' as open from porting_requests
    join services on services.id = porting_requests.service_id where user_id = ${userId}
    and status in ('NEW', 'SUBMITTED', 'CANCELLING')`,
  (userId) => sql`select 'card update ' || reference || ' (' || state || ')' as open from card_updates
    where user_id = ${userId} and state in ('initiated', 'unknown')`,
]

/** What is open for a customer. */
export async function listOpen(trx: Trx, { id, email }: { id: string; email: string }): Promise<string[]> {
  const open: string[] = []
  for (const check of checks) open.push(...(await check(id, email).execute(trx)).rows.map((row) => row.open))
  return open
}
