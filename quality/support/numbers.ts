import { randomInt } from 'node:crypto'

// Counted, as of some hundred random ones two would be the same now and then. Where they begin is random: files that run at the same
// time on one network hardly meet.
let last = randomInt(4_000_000)

type Country = 'NZ' | 'AU'

/** A number of a SIM pack that nothing else in this process has, in E.164, far from the demo's own stock. */
export function newMsisdn(country: Country = 'NZ'): string {
  last += 1
  return country === 'NZ' ? `+6421${6_000_000 + (last % 4_000_000)}` : `+61412${100_000 + (last % 900_000)}`
}

/** The same for a number at another provider. */
export function newMsisdnElsewhere(country: Country = 'NZ'): string {
  last += 1
  return country === 'NZ' ? `+6427${4_000_000 + (last % 1_000_000)}` : `+61413${100_000 + (last % 900_000)}`
}
