import { randomInt } from 'node:crypto'

/*
 * Numbers are consecutive, because several hundred random numbers would include some duplicates. The first is random, so that test files
 * sharing a network almost never clash.
 */
let last = randomInt(4_000_000)

type Country = 'NZ' | 'AU'

/** Returns a new phone number in E.164 format. It is unique in this process and well away from the demo's own numbers. */
export function newMsisdn(country: Country = 'NZ'): string {
  last += 1
  return country === 'NZ' ? `+6421${6_000_000 + (last % 4_000_000)}` : `+61412${100_000 + (last % 900_000)}`
}

export function newOtherCarrierMsisdn(country: Country = 'NZ'): string {
  last += 1
  return country === 'NZ' ? `+6427${4_000_000 + (last % 1_000_000)}` : `+61413${100_000 + (last % 900_000)}`
}
