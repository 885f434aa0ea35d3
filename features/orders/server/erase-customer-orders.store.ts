import type { Trx } from '#kit/server/db.ts'
import { failedStates } from '../orders.states.ts'
import type { Order } from './orders.store.ts'

/**
 * Locks all of a customer's orders until the transaction ends, so that no refund can start meanwhile. Does not wait for
 * locks.
 * @throws the database's lock error, which `isRowLocked` recognises, if another transaction has locked one of the orders
 */
export const lockUserOrders = (trx: Trx, userId: string): Promise<Pick<Order, 'id' | 'msisdn' | 'email'>[]> =>
  trx
    .selectFrom('orders')
    .select(['id', 'msisdn', 'email'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .noWait()
    .execute()

export async function eraseCustomerFromOrders(trx: Trx, userId: string, emails: string[]): Promise<void> {
  const erasedColumns = {
    email: '',
    full_name: '',
    msisdn: '',
    password_hash: null,
    porting: null,
    idempotency_key: null,
    session_id: null,
    marketing_consent: false,
  }
  await trx.updateTable('orders').set(erasedColumns).where('user_id', '=', userId).execute()
  await trx
    .updateTable('orders')
    .set(erasedColumns)
    .where('user_id', 'is', null)
    .where('email', 'in', emails)
    .where('state', 'in', failedStates)
    .execute()
}
