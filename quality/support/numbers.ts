import { randomInt } from 'node:crypto'

// Numbers are counted, because among some hundred random ones two would collide now and then. The start is random, so files that run on
// one network at the same time hardly ever collide.
let last = randomInt(4_000_000)

type Country = 'NZ' | 'AU'

/** A SIM pack's number in E.164, unique in this process and far from the demo's own stock. */
export function newMsisdn(country: Country = 'NZ'): string {
  last += 1
  return country === 'NZ' ? `+6421${6_000_000 + (last % 4_000_000)}` : `+61412${100_000 + (last % 900_000)}`
}

export function newMsisdnElsewhere(country: Country = 'NZ'): string {
  last += 1
  return country === 'NZ' ? `+6427${4_000_000 + (last % 1_000_000)}` : `+61413${100_000 + (last % 900_000)}`
}
