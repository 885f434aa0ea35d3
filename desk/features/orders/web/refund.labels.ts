import { decimalToCents, gstOf } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import type { DeskOrder } from '../orders.contract.ts'

export function parseCents(typed: string): number | null {
  const [, whole, part = ''] = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === undefined ? null : decimalToCents(`${whole}.${part.padEnd(2, '0')}`)
}

type RefundContext = { order: DeskOrder; cents: number; needsSecond: boolean; taxPart: readonly [number, number] }

export function refundConsequences({ order, cents, needsSecond, taxPart }: RefundContext): string[] {
  const amount = formatPriceWithCommas(cents)
  const name = order.customer.name.split(' ')[0]
  return [
    ...(needsSecond ? ['Nothing is refunded until a second person approves it'] : []),
    `${amount} to ${order.money.paid_with}, in 3 to 5 days`,
    `${name} gets a credit note for ${amount} by email, including ${formatPriceWithCommas(gstOf(cents, taxPart))} GST`,
    `${order.title} on ${order.number} stays as it is`,
  ]
}

export function approvalRequirementText({ money, deciders }: DeskOrder): string {
  const ownLimit = decimalToCents(money.alone)
  const limitText =
    ownLimit > 0
      ? `You can refund up to ${formatPriceWithCommas(ownLimit)} of this order without approval.`
      : 'You’ve reached the amount you can refund without approval (per order, or in 24 hours).'
  const approverText =
    deciders.length === 0
      ? 'Nobody can approve this refund right now.'
      : `${joinNames(deciders.slice(0, 3))} can approve this refund within 24 hours.`
  return `${limitText} ${approverText}`
}

const joinNames = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '')
