import type { Gateway } from './gateway.ts'

/** An authorise request that was carried out, in cents. No money is reserved if authorised = captured + cancelled. */
export type LedgerRow = {
  reference: string
  psp_reference: string
  authorised: number
  captured: number
  refunded: number
  cancelled: number
}

/** Every payment, oldest first, including refused payments (authorised 0). */
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
