import { countsAsDisputed } from '#features/disputes/disputes.states.ts'
import { isCardUpdateOver } from '#features/payment-method/payment-method.states.ts'
import { wasDelivered } from '#features/orders/orders.states.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { isRefundOpen } from '#features/refunds/refunds.states.ts'
import { type Fault, createFaultUnless } from './findings.ts'
import type { Ledgers } from './ledgers.ts'
import { groupByOrder, type ProductRecords, sumOf } from './product-records.ts'

/**
 * Checks card updates. Each must have ended, must not have taken any money, and must not keep an encrypted card. The gateway must know
 * every stored card.
 */
export const findCardUpdateFaults = ({ updates }: ProductRecords, { gateway }: Ledgers): Fault[] =>
  updates.flatMap(({ reference, state, sealed_card: sealed, psp_reference: psp }) => {
    const lines = gateway.filter((line) => line.reference === reference)
    const found = [
      ...createFaultUnless(isCardUpdateOver(state), 'unsettled', 'is not over'),
      ...createFaultUnless(sealed === null, 'unexplained', 'still keeps an encrypted card'),
      ...createFaultUnless(
        state !== 'stored' || lines.some((line) => line.psp_reference === psp),
        'lost',
        'is stored, and the gateway does not know of it',
      ),
      ...createFaultUnless(
        lines.every((line) => line.authorised === 0 && line.captured === 0),
        'lost',
        'took money',
      ),
    ]
    return found.map(({ kind, text }) => ({ kind, text: `${reference} (${state}) ${text}` }))
  })

/**
 * Checks how refused payments are counted. A payment that was counted in advance must by now count as refused or not count at all. If a
 * payment was returned because its type of card is not accepted, it counts as refused. A successful payment must not be counted.
 */
export function findRefusedPaymentFaults({ refusedPayments, attempts, orders, updates }: ProductRecords): Fault[] {
  const refusedCardTypeOrderIds = new Set(
    orders.filter(({ failure_code }) => failure_code === 'card_type').map(({ id }) => id),
  )
  const good = new Set(
    [
      ...attempts.filter(({ state, order_id }) => state !== 'refused' && !refusedCardTypeOrderIds.has(order_id)),
      ...updates.filter(({ state, failure }) => state !== 'refused' && failure !== 'card_type'),
    ].map(({ reference }) => reference),
  )
  return refusedPayments.flatMap(({ reference, refused_at: at }) => [
    ...createFaultUnless(at !== null, 'unexplained', `${reference} still counts as pending`),
    ...createFaultUnless(!good.has(reference), 'unexplained', `${reference} counts as refused, but was not refused`),
  ])
}

const addTask = (faults: Fault[], task: NonNullable<Fault['task']>): Fault[] =>
  faults.map((fault) => ({ ...fault, task }))

export function createPaymentRules(books: ProductRecords, { gateway }: Ledgers): (order: Order) => Fault[] {
  const getAttempts = groupByOrder(books.attempts)
  const getRefunds = groupByOrder(books.refunds)
  const getDisputes = groupByOrder(books.disputes)
  const linesByReference = Map.groupBy(gateway, ({ reference }) => reference)

  return (order) => {
    const attempts = getAttempts(order.id)
    const lines = attempts.flatMap(({ reference }) => linesByReference.get(reference) ?? [])
    const refunds = getRefunds(order.id)
    const given = refunds.filter(({ state }) => state === 'received').map(({ amount_cents }) => amount_cents)
    const refundedCents = sumOf(given)
    const isDelivered = wasDelivered(order.state)
    const due = isDelivered ? order.amount_cents - refundedCents : 0
    const countedDisputes = getDisputes(order.id).filter(({ state, outcome }) => countsAsDisputed(state, outcome))
    const kept = order.state === 'cancelled' ? due - sumOf(countedDisputes.map(({ amount_cents }) => amount_cents)) : 0
    const capturedAtGateway = sumOf(lines.map((line) => line.captured))
    const refundedAtGateway = sumOf(lines.map((line) => line.refunded))
    const taken = capturedAtGateway - refundedAtGateway
    const open = lines.filter((line) => line.authorised !== line.captured + line.cancelled)
    const capturedCount = attempts.filter(({ state }) => state === 'captured').length
    const expectedCount = due + refundedCents > 0 ? 1 : 0

    const classifyMoneyMismatch = (): Fault['kind'] => {
      if (!isDelivered) return taken > due ? 'lost' : 'unexplained'
      if (capturedAtGateway > order.amount_cents) return 'doubled'
      if (capturedAtGateway === 0) return 'unconfirmed'
      if (refundedAtGateway < refundedCents) return 'lost'
      return given.includes(refundedAtGateway - refundedCents) ? 'doubled' : 'unexplained'
    }
    // A wrong amount is not a finding if there is an open payment task: money for an undelivered order is owed until staff refund it.
    return [
      ...addTask(
        createFaultUnless(taken === due, classifyMoneyMismatch(), `took ${taken} cents, not ${due}`),
        'payment',
      ),
      // A cancelled order's plan never began, so its price must have been refunded. If the gateway refused that, there must be a task.
      ...addTask(
        createFaultUnless(kept <= 0, 'lost', `is cancelled, and ${kept} cents of it did not go back`),
        'refund',
      ),
      ...open.flatMap((line) => createFaultUnless(false, 'unexplained', `left ${line.reference} open`)),
      ...createFaultUnless(
        capturedCount === expectedCount,
        capturedCount > 1 ? 'doubled' : capturedCount > expectedCount ? 'lost' : 'unexplained',
        `has ${capturedCount} captured attempts`,
      ).map((fault) => (capturedCount > 1 ? fault : { ...fault, task: 'payment' as const })),
      ...createFaultUnless(
        !refunds.some((one) => isRefundOpen(one.state)),
        'unsettled',
        'has a refund that is not over',
      ),
      ...createFaultUnless(
        attempts.every(({ sealed_card }) => sealed_card === null),
        'unexplained',
        'still keeps an encrypted card',
      ),
    ]
  }
}
