import type { Market } from '#kit/contract/bootstrap.ts'
import { formatPrice, toWire } from '#kit/contract/money.ts'
import { parseHome } from '#kit/contract/phone.ts'
import type { OperationKind } from '#features/orders/server/operations.store.ts'
import type { ReportedPayment } from '#providers/card/gateway-report.port.ts'
import type { ListedOrder } from '#providers/network/network.port.ts'

export type LostOperation = ListedOrder & { orderCode: string; kind: OperationKind | 'port' }

/**
 * An order's payments and operations that exist at the providers and not in our tables. `isKnown` means that the order
 * itself is in our tables.
 */
export type LostOrder = { code: string; isKnown: boolean; payments: ReportedPayment[]; operations: LostOperation[] }

/** The operations that undo each operation. Removing a line removes its plan and add-ons as well. */
const removals: Partial<Record<LostOperation['kind'], OperationKind[]>> = {
  activate_sim: ['deactivate_sim'],
  add_plan: ['remove_plan', 'deactivate_sim'],
  add_addon: ['remove_addon', 'deactivate_sim'],
  port: ['deactivate_sim'],
}

export function findingOf(
  { code, isKnown, payments, operations }: LostOrder,
  { phoneRegion }: Pick<Market, 'phoneRegion'>,
): { finding: string | null; commands: string[] } {
  const money = payments.flatMap(leftOf)
  const left = operations.filter((operation) => isLeft(operation, { operations, isKnown }))
  if (money.length + left.length === 0) return { finding: null, commands: [] }
  const parts = [...money.map(({ text }) => text), ...left.map(textOf)]
  const line = left.find(({ kind }) => kind === 'activate_sim')
  const removed = line ? [line] : left
  return {
    finding: `${code} ${isKnown ? 'is incomplete in our tables' : 'is not in our tables'}: ${parts.join('; ')}`,
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

/** An unknown removal matters only if our tables have the operation that it undid. */
function isLeft({ kind }: LostOperation, { operations, isKnown }: Pick<LostOrder, 'operations' | 'isKnown'>): boolean {
  if (removals[kind]) return !operations.some((other) => other.state === 'completed' && isUndoneBy(kind, other.kind))
  return isKnown && !operations.some((other) => isUndoneBy(other.kind, kind))
}

const isUndoneBy = (kind: LostOperation['kind'], removal: LostOperation['kind']): boolean =>
  removals[kind]?.some((each) => each === removal) ?? false

const textOf = ({ kind, externalId, state, iccid }: LostOperation): string =>
  `the network has ${externalId} (${kind}, ${state}${iccid ? `, SIM ending ${iccid.slice(-4)}` : ''})`

/** Empty while the network is still processing the order. */
function removalOf({ kind, state, externalId, iccid, msisdn }: LostOperation, region: Market['phoneRegion']): string[] {
  const number = msisdn && (parseHome(msisdn, region) ?? parseHome(`+${msisdn}`, region))
  if (!removals[kind] || kind === 'port' || state !== 'completed' || !iccid || !number) return []
  return [`network remove ${externalId} --iccid ${iccid} --msisdn ${number}`]
}
