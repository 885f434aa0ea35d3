import type { Market } from '#kit/contract/bootstrap.ts'
import { formatPrice, toWire } from '#kit/contract/money.ts'
import { parseHome } from '#kit/contract/phone.ts'
import type { OperationKind } from '#features/orders/server/operations.store.ts'
import type { ReportedPayment } from '#providers/card/gateway-report.port.ts'
import type { ListedOrder } from '#providers/network/network.port.ts'

export type LostOperation = ListedOrder & { orderCode: string; kind: OperationKind | 'port' }

/** What the providers have of an order and our tables lack. `isKnown`: the order itself is in our tables. */
export type LostOrder = { code: string; isKnown: boolean; payments: ReportedPayment[]; operations: LostOperation[] }

/** What each operation is undone by. The removal of a line takes everything on it along. */
const removals: Partial<Record<LostOperation['kind'], OperationKind[]>> = {
  activate_sim: ['deactivate_sim'],
  add_plan: ['remove_plan', 'deactivate_sim'],
  add_addon: ['remove_addon', 'deactivate_sim'],
  port: ['deactivate_sim'],
}

/** A sentence about what is left of an order, and the commands that would undo it; `null` when nothing is left. */
export function findingOf(
  { code, isKnown, payments, operations }: LostOrder,
  { phoneRegion }: Pick<Market, 'phoneRegion'>,
): { finding: string | null; commands: string[] } {
  const money = payments.flatMap(leftOf)
  const left = operations.filter((operation) => isLeft(operation, { operations, isKnown }))
  if (money.length + left.length === 0) return { finding: null, commands: [] }
  const parts = [...money.map(({ text }) => text), ...left.map(textOf)]
  const line = left.find(({ kind }) => kind === 'activate_sim')
  // With the line its plan and its add-ons go, too.
  const removed = line ? [line] : left
  return {
    finding: `${code} ${isKnown ? 'lacks in our tables' : 'is not in our tables'}: ${parts.join('; ')}`,
    commands: [
      ...money.map(({ command }) => command),
      ...removed.flatMap((operation) => removalOf(operation, phoneRegion)),
    ],
  }
}

function leftOf({ reference, pspReference, currency, ...sums }: ReportedPayment): { text: string; command: string }[] {
  const { authorised, captured, refunded, disputed, isReleased } = sums
  const text = (cents: number, how: string): string =>
    `the gateway has ${formatPrice(cents)} ${currency} ${how} as ${reference} (${pspReference})`
  const kept = captured - refunded - disputed
  if (kept > 0)
    return [
      {
        text: text(kept, 'captured'),
        command: `gateway refund ${pspReference} --payment ${reference} --amount ${toWire(kept)}`,
      },
    ]
  return captured === 0 && authorised > 0 && !isReleased
    ? [{ text: text(authorised, 'reserved'), command: `gateway cancel ${pspReference} --payment ${reference}` }]
    : []
}

/** An unknown removal matters only where our tables have what it removed. */
function isLeft({ kind }: LostOperation, { operations, isKnown }: Pick<LostOrder, 'operations' | 'isKnown'>): boolean {
  if (removals[kind]) return !operations.some((other) => other.state === 'completed' && isUndoneBy(kind, other.kind))
  return isKnown && !operations.some((other) => isUndoneBy(other.kind, kind))
}

const isUndoneBy = (kind: LostOperation['kind'], removal: LostOperation['kind']): boolean =>
  removals[kind]?.some((each) => each === removal) ?? false

const textOf = ({ kind, externalId, state, iccid }: LostOperation): string =>
  `the network has ${externalId} (${kind}, ${state}${iccid ? `, SIM ending ${iccid.slice(-4)}` : ''})`

/** None while the network is still carrying the order out. */
function removalOf({ kind, state, externalId, iccid, msisdn }: LostOperation, region: Market['phoneRegion']): string[] {
  const number = msisdn && (parseHome(msisdn, region) ?? parseHome(`+${msisdn}`, region))
  if (!removals[kind] || kind === 'port' || state !== 'completed' || !iccid || !number) return []
  return [`network remove ${externalId} --iccid ${iccid} --msisdn ${number}`]
}
