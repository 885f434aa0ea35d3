/** Reads SIM data from the network's inventory. No method throws, whatever the network's response. */
export type NetworkInventory = {
  /** Reads a SIM's PUK, in digits, which unlocks the SIM after too many wrong PINs. `absent`: the network has no PUK for this SIM. */
  puk(iccid: string): Promise<{ outcome: 'known'; puk: string } | { outcome: 'absent' } | UnknownOutcome>
}

type UnknownOutcome = { outcome: 'unknown'; why: string }
