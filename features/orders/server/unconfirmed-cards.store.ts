import type { Db, Trx } from '#kit/server/db.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'

/**
 * Creates a task when a customer's auto-renewal has no usable card because the gateway never returned the card that a
 * payment was meant to save. The task ends when a card is saved.
 */
export async function reportUnconfirmedCard(db: Db | Trx, userId: string): Promise<void> {
  const latestAuthorisation = await db
    .selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select(['order_id', 'reference', 'card'])
    .where('orders.user_id', '=', userId)
    .where('store', '=', true)
    .where('payment_attempts.state', 'in', ['authorised', 'capturing', 'captured'])
    .orderBy('payment_attempts.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!latestAuthorisation || latestAuthorisation.card?.storedId) return
  await createTask(db, {
    kind: 'payment',
    orderId: latestAuthorisation.order_id,
    subject: userId,
    reason:
      `${latestAuthorisation.reference} was paid with a card that we were to save, but the gateway returned no stored card: ` +
      'auto-renewal has no card',
  })
}
