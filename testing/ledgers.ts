/** What gateway and network say of themselves, as the demo passes it on: amounts in cents. */
export type Ledgers = {
  gateway: {
    reference: string
    psp_reference: string
    authorised: number
    captured: number
    refunded: number
    cancelled: number
  }[]
  network: { external_id: string; action: string; state: string }[]
}
