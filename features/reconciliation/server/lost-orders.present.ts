import type { Market } from '#kit/contract/bootstrap.ts'
import { formatPrice, centsToDecimal } from '#kit/contract/money.ts'
import { parseDomesticMobile } from '#kit/contract/phone.ts'
import type { OperationKind } from '#features/orders/server/operations.store.ts'
import type { ReportedPayment } from '#providers/card/gateway-report.port.ts'
import type { ListedOrder } from '#providers/network/network.port.ts'

export type LostOperation = ListedOrder & { orderCode: string; kind: OperationKind | 'port' }

/**
 * An order's payments and operations that exist at the providers but not in our tables. `isKnown` means that our tables
 * contain the order itself.
 */
export type LostOrder = { code: string; isKnown: boolean; payments: ReportedPayment[]; operations: LostOperation[] }

/** Maps each operation to the operations that undo it. Deactivating a SIM also removes its plan and add-ons. */
const removalsByKind: Partial<Record<LostOperation['kind'], OperationKind[]>> = {
  activate_sim: ['deactivate_sim'],
  add_plan: ['remove_plan', 'deactivate_sim'],
  add_addon: ['remove_addon', 'deactivate_sim'],
  port: ['deactivate_sim'],
}

export function describeLostOrder(
  { code, isKnown, payments, operations }: LostOrder,
  { phoneRegion }: Pick<Market, 'phoneRegion'>,
): { finding: string | null; commands: string[] } {
  const paymentFindings = payments.flatMap(listUnreturnedAmounts)
  const remainingOperations = operations.filter((operation) => isStillInEffect(operation, { operations, isKnown }))
  if (paymentFindings.length + remainingOperations.length === 0) return { finding: null, commands: [] }
  const sentences = [...paymentFindings.map(({ text }) => text), ...remainingOperations.map(describeOperation)]
  const remainingActivation = remainingOperations.find(({ kind }) => kind === 'activate_sim')
  const removedOperations = remainingActivation ? [remainingActivation] : remainingOperations
  return {
    finding: `${code} ${isKnown ? 'is incomplete in our tables' : 'is not in our tables'}: ${sentences.join('; ')}`,
    commands: [
      ...paymentFindings.map(({ command }) => command),
      ...removedOperations.flatMap((operation) => listRemovalCommands(operation, phoneRegion)),
    ],
  }
}

function listUnreturnedAmounts({
  reference,
  pspReference,
  currency,
  ...sums
}: ReportedPayment): { text: string; command: string }[] {
  const { authorised, captured, refunded, disputed, isReleased } = sums
  const text = (cents: number, description: string): string =>
    `the gateway has ${formatPrice(cents)} ${currency} ${description} as ${reference} (${pspReference})`
  const unreturnedCents = captured - refunded - disputed
  if (unreturnedCents > 0)
    return [
      {
        text: text(unreturnedCents, 'captured'),
        command: `gateway refund ${pspReference} --payment ${reference} --amount ${centsToDecimal(unreturnedCents)}`,
      },
    ]
  return captured === 0 && authorised > 0 && !isReleased
    ? [{ text: text(authorised, 'reserved'), command: `gateway cancel ${pspReference} --payment ${reference}` }]
    : []
}

/**
 * Whether a lost operation still has an effect. A lost removal has an effect only if our tables contain the operation
 * that it undid.
 */
function isStillInEffect(
  { kind }: LostOperation,
  { operations, isKnown }: Pick<LostOrder, 'operations' | 'isKnown'>,
): boolean {
  if (removalsByKind[kind])
    return !operations.some((other) => other.state === 'completed' && isUndoneByRemoval(kind, other.kind))
  return isKnown && !operations.some((other) => isUndoneByRemoval(other.kind, kind))
}

const isUndoneByRemoval = (kind: LostOperation['kind'], removal: LostOperation['kind']): boolean =>
  removalsByKind[kind]?.some((each) => each === removal) ?? false

const describeOperation = ({ kind, externalId, state, iccid }: LostOperation): string =>
  `the network has ${externalId} (${kind}, ${state}${iccid ? `, SIM ending ${iccid.slice(-4)}` : ''})`

/** Returns the commands that remove a lost operation, or none while the network is still processing it. */
function listRemovalCommands(
  { kind, state, externalId, iccid, msisdn }: LostOperation,
  region: Market['phoneRegion'],
): string[] {
  const number = msisdn && (parseDomesticMobile(msisdn, region) ?? parseDomesticMobile(`+${msisdn}`, region))
  if (!removalsByKind[kind] || kind === 'port' || state !== 'completed' || !iccid || !number) return []
  return [`network remove ${externalId} --iccid ${iccid} --msisdn ${number}`]
}
