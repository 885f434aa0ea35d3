/** No method throws for any response of a network. */
export type NetworkInventory = {
  /** The PUK, in digits, unlocks a SIM after ten wrong PINs. `absent`: the network has no PUK for this SIM. */
  puk(iccid: string): Promise<{ outcome: 'known'; puk: string } | { outcome: 'absent' } | Unknown>
}

type Unknown = { outcome: 'unknown'; why: string }
