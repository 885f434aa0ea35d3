import type { LedgerRow } from '#simulators/gateway/ledger.ts'

/** What the gateway and the network have recorded, as returned by the demo. Amounts are in cents. */
export type Ledgers = {
  gateway: LedgerRow[]
  network: { external_id: string; action: string; state: string }[]
}
