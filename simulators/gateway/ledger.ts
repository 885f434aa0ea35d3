import type { Gateway } from './gateway.ts'

/** One authorise request that was carried out, in cents. Nothing is left open where authorised = captured + cancelled. */
export type LedgerRow = {
  reference: string
  psp_reference: string
  authorised: number
  captured: number
  refunded: number
  cancelled: number
}

/** Every payment, refused ones (authorised 0) included, oldest first. */
export const ledgerOf = (gateway: Gateway): LedgerRow[] =>
  gateway.store
    .table('payments')
    .values()
    .map(({ reference, pspReference, authorised, captured, refunded, cancelled }) => ({
      reference,
      psp_reference: pspReference,
      authorised,
      captured,
      refunded,
      cancelled,
    }))
    .toArray()
