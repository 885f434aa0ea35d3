import { operationShortNames } from './operations.store.ts'

const paymentReference = /^(FT[A-Z0-9]{10})-\d{1,4}(?!\d)/

/** The reference of one of our payments with which a merchant reference begins; null for other references. Modifications have a suffix. */
export const paymentReferenceIn = (merchantReference: string): string | null =>
  paymentReference.exec(merchantReference)?.[0] ?? null

const operationId = new RegExp(`^(FT[A-Z0-9]{10})-(${[...operationShortNames.keys(), 'port'].join('|')})-\\d{1,4}$`)

/** The order and the kind of an operation, by the format of our `externalId`; null for others. The transfer of an activation is `port`. */
export function operationIn(externalId: string) {
  const [, orderCode, name = ''] = operationId.exec(externalId) ?? []
  return orderCode === undefined ? null : { orderCode, kind: operationShortNames.get(name) ?? ('port' as const) }
}

export const orderCodeIn = (reference: string): string => reference.split('-', 1)[0] ?? ''
