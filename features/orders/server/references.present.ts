import { operationShortNames } from './operations.store.ts'

const paymentReferencePattern = /^(FT[A-Z0-9]{10})-\d{1,4}(?!\d)/

/**
 * The payment reference at the start of a merchant reference; `null` for references that are not ours. Modifications
 * add a suffix.
 */
export const parsePaymentReference = (merchantReference: string): string | null =>
  paymentReferencePattern.exec(merchantReference)?.[0] ?? null

const operationIdPattern = new RegExp(
  `^(FT[A-Z0-9]{10})-(${[...operationShortNames.keys(), 'port'].join('|')})-\\d{1,4}$`,
)

/**
 * Reads the order code and the kind of operation from our `externalId`; `null` for other ids. `port` is the transfer of
 * an activation.
 */
export function parseOperationId(externalId: string) {
  const [, orderCode, name = ''] = operationIdPattern.exec(externalId) ?? []
  return orderCode === undefined ? null : { orderCode, kind: operationShortNames.get(name) ?? ('port' as const) }
}

export const parseOrderCode = (reference: string): string => reference.split('-', 1)[0] ?? ''
