/** What the mobile network knows of a SIM, in the product's words. It does not throw for what a network can answer. */
export type NetworkInventory = {
  /** The PUK that unlocks a SIM after ten wrong PINs, digits; `absent`: the network has none of this SIM. */
  puk(iccid: string): Promise<{ outcome: 'known'; puk: string } | { outcome: 'absent' } | Unknown>
}

/** Timeout, 5xx, no connection, or an answer that cannot be read. */
type Unknown = { outcome: 'unknown'; why: string }
