import type { LedgerRow } from '#simulators/gateway/ledger.ts'

/** The records of gateway and network, as the demo passes them on. Amounts are in cents. */
export type Ledgers = {
  gateway: LedgerRow[]
  network: { external_id: string; action: string; state: string }[]
}
