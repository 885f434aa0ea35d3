import type { LedgerRow } from '#simulators/gateway/ledger.ts'

/** The gateway's and the network's records, as the demo returns them. Amounts are in cents. */
export type Ledgers = {
  gateway: LedgerRow[]
  network: { external_id: string; action: string; state: string }[]
}
