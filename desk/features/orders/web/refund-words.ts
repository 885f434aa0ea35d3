import { fromWire, gstOf } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import type { DeskOrder } from '../orders.contract.ts'

export function centsTyped(typed: string): number | null {
  const [, whole, part = ''] = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === undefined ? null : fromWire(`${whole}.${part.padEnd(2, '0')}`)
}

type About = { order: DeskOrder; cents: number; needsSecond: boolean; taxPart: readonly [number, number] }

export function whatWillHappen({ order, cents, needsSecond, taxPart }: About): string[] {
  const amount = formatSum(cents)
  const name = order.customer.name.split(' ')[0]
  return [
    ...(needsSecond ? ['Nothing, before a second person has approved it'] : []),
    `${amount} to ${order.money.paid_with}, in 3 to 5 days`,
    `${name} gets a credit note over ${amount} by mail, ${formatSum(gstOf(cents, taxPart))} of it GST`,
    `${order.title} on ${order.number} stays as it is`,
  ]
}

export function secondPersonWords({ money, deciders }: DeskOrder): string {
  const alone = fromWire(money.alone)
  const may =
    alone > 0
      ? `Alone you can give back ${formatSum(alone)} of this order now.`
      : 'Alone you can give back no more of this order now.'
  const who =
    deciders.length === 0
      ? 'Nobody else is here who could approve it.'
      : `${listed(deciders.slice(0, 3))} can approve; it lapses in 24 hours.`
  return `${may} ${who}`
}

const listed = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '')
