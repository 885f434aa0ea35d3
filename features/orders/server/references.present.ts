import { operationByShortName } from './operations.store.ts'
import type { OrderPrefixes } from './order-prefixes.store.ts'

/** Number of random characters in an order code, after its prefix of 2 to 4 letters. */
export const orderCodeRandomLength = 10

const orderCodePattern = `([A-Z]{2,4})[A-Z0-9]{${orderCodeRandomLength}}`
const orderCodePrefixPattern = new RegExp(`^(${orderCodePattern})-`)
const paymentReferencePattern = new RegExp(`^${orderCodePattern}-\\d{1,4}(?!\\d)`)
const operationIdPattern = new RegExp(
  `^(${orderCodePattern})-(${[...operationByShortName.keys(), 'port'].join('|')})-\\d{1,4}$`,
)

/**
 * Extracts the payment reference from the start of a merchant reference. References for captures, cancels and refunds may
 * have a suffix. Returns `null` for references that are not ours.
 */
export function parsePaymentReference(merchantReference: string, prefixes: OrderPrefixes): string | null {
  const [reference, prefix = ''] = paymentReferencePattern.exec(merchantReference) ?? []
  return reference !== undefined && prefixes.has(prefix) ? reference : null
}

/**
 * Extracts the order code and the kind of operation from one of our `externalId`s; `null` for other ids. `port` is an
 * activation's number transfer.
 */
export function parseOperationId(externalId: string, prefixes: OrderPrefixes) {
  const [, code, prefix = '', name = ''] = operationIdPattern.exec(externalId) ?? []
  return code !== undefined && prefixes.has(prefix)
    ? { orderCode: code, kind: operationByShortName.get(name) ?? ('port' as const) }
    : null
}

export const parseOrderCode = (reference: string): string => reference.split('-', 1)[0] ?? ''

/**
 * Extracts the order code from the start of a payment reference or of an operation's id. Returns `null` for other references. The code's
 * prefix is not checked, so the order may not exist.
 */
export const findOrderCode = (reference: string): string | null => orderCodePrefixPattern.exec(reference)?.[1] ?? null
