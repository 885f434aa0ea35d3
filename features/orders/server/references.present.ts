import { operationShortNames } from './operations.store.ts'

const paymentReferencePattern = /^(FT[A-Z0-9]{10})-\d{1,4}(?!\d)/

/**
 * Extracts the payment reference from the start of a merchant reference. References for captures, cancels and refunds may
 * have a suffix. Returns `null` for references that are not ours.
 */
export const parsePaymentReference = (merchantReference: string): string | null =>
  paymentReferencePattern.exec(merchantReference)?.[0] ?? null

const operationIdPattern = new RegExp(
  `^(FT[A-Z0-9]{10})-(${[...operationShortNames.keys(), 'port'].join('|')})-\\d{1,4}$`,
)

/**
 * Extracts the order code and the kind of operation from one of our `externalId`s; `null` for other ids. `port` is an
 * activation's number transfer.
 */
export function parseOperationId(externalId: string) {
  const [, orderCode, name = ''] = operationIdPattern.exec(externalId) ?? []
  return orderCode === undefined ? null : { orderCode, kind: operationShortNames.get(name) ?? ('port' as const) }
}

export const parseOrderCode = (reference: string): string => reference.split('-', 1)[0] ?? ''
