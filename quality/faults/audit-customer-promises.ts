import { countsAsRefunded } from '#features/refunds/refunds.states.ts'
import { isEndState, wasDelivered } from '#features/orders/orders.states.ts'
import { paysByCard, type Order } from '#features/orders/server/orders.store.ts'
import { type Fault, type Finding, createFaultUnless } from '#quality/support/findings.ts'
import { groupByOrder, type ProductRecords, sumOf } from '#quality/support/product-records.ts'
import type { CustomerPromise } from './audit-records.ts'

/**
 * Finds responses to customers that turned out to be false. Each customer must have received whatever Fantail confirmed, exactly once and
 * at the confirmed price.
 */
export function auditCustomerPromises(books: ProductRecords, promised: readonly CustomerPromise[]): Finding[] {
  const orders = new Map(books.orders.map((order) => [order.order_code, order]))
  const getRefunds = groupByOrder(books.refunds)
  const messagesByReference = Map.groupBy(books.messages, ({ ref }) => ref)

  const findPromiseFaults = (promise: CustomerPromise): Fault[] => {
    const { kind, cents, said } = promise
    const order = orders.get(promise.order_code)
    if (!order) return createFaultUnless(said === 'failed', 'lost', `was ${said} and is unknown to Fantail`)
    if (kind === 'refund') {
      const given = sumOf(
        getRefunds(order.id)
          .filter(countsAsRefunded)
          .map(({ amount_cents }) => amount_cents),
      )
      return said === 'failed'
        ? []
        : createFaultUnless(given >= cents, 'lost', `was to give back ${cents} cents, and has ${given}`)
    }
    const recipients = (messagesByReference.get(order.id) ?? []).map(({ recipient }) => recipient)
    return [
      ...findStateFaults(order, promise),
      ...createFaultUnless(order.kind === kind, 'unexplained', `was ${said} as ${kind}, and is ${order.kind}`),
      ...createFaultUnless(
        order.amount_cents === cents,
        'unexplained',
        `was ${said} for ${cents} cents, and is for ${order.amount_cents}`,
      ),
      ...createFaultUnless(
        paysByCard(order) === (promise.paid_with === 'card'),
        'unexplained',
        `was to be paid with a ${promise.paid_with}, and is paid with ${order.paid_with}`,
      ),
      ...recipients.flatMap((recipient) =>
        createFaultUnless(
          recipient.toLowerCase() === promise.email.toLowerCase(),
          'unexplained',
          `is ${promise.email}’s, and was told of to ${recipient}`,
        ),
      ),
    ]
  }
  return promised.flatMap((promise) =>
    findPromiseFaults(promise).map(({ kind, text }) => ({
      kind,
      order_code: promise.order_code,
      text: `${promise.order_code} ${text}`,
    })),
  )
}

/**
 * An accepted order may still fail, as long as the customer is notified. A delivered order must stay delivered, and a failed order must
 * never be delivered.
 */
function findStateFaults({ state }: Order, { said }: CustomerPromise): Fault[] {
  switch (said) {
    case 'accepted':
      return []
    case 'delivered':
      return createFaultUnless(wasDelivered(state), 'lost', `was delivered, and is ${state}`)
    case 'failed':
      return createFaultUnless(
        isEndState(state) && !wasDelivered(state),
        'unexplained',
        `was to have failed, and is ${state}`,
      )
  }
}
