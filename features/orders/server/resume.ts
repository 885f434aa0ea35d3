import { invalidForm } from '#kit/server/refusal.ts'
import { isPaymentOpen } from '../orders.states.ts'
import { orderMessages } from '../orders.contract.ts'
import type { OrderDeps } from './orders.deps.ts'
import { findOrder, type Order } from './orders.store.ts'
import { settlePayment } from './payments.ts'

/** Asks once more how a payment ended, and answers for the order as it is then. */
export async function resume(deps: OrderDeps, order: Order): Promise<'accepted' | 'unknown'> {
  if (isPaymentOpen(order.state)) await settlePayment(deps, order)
  return answerFor((await findOrder(deps.db, order.id)) ?? order)
}

/**
 * What the visitor is told of an order they paid for.
 * @throws 400 with the sentence, when nothing was kept of it
 */
export function answerFor(order: Order): 'accepted' | 'unknown' {
  if (isPaymentOpen(order.state)) return 'unknown'
  if (order.state === 'refused') throw invalidForm(refusalSentences[order.failure_code ?? ''] ?? orderMessages.refused)
  return 'accepted'
}

const refusalSentences: Record<string, string> = {
  card_refused: orderMessages.refused,
  card_unreadable: orderMessages.cardUnreadable,
  payment_not_confirmed: orderMessages.notConfirmed,
}
