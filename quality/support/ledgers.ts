import type { LedgerRow } from '#simulators/gateway/ledger.ts'

/** What gateway and network say of themselves, as the demo passes it on: amounts in cents. */
export type Ledgers = {
  gateway: LedgerRow[]
  network: { external_id: string; action: string; state: string }[]
}
