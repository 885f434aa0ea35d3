import type { Gateway } from './gateway.ts'

/**
 * A ledger row for an authorised or refused payment. Amounts are in cents. Once authorised = captured + cancelled, no money is reserved any
 * more.
 */
export type LedgerRow = {
  reference: string
  psp_reference: string
  authorised: number
  captured: number
  refunded: number
  cancelled: number
}

/** Lists all payments, oldest first. Refused payments are included with an authorised amount of 0. */
export const buildLedger = (gateway: Gateway): LedgerRow[] =>
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
