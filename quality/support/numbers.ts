import { randomInt } from 'node:crypto'

/*
 * Numbers are consecutive, because among several hundred random numbers some would collide. The first number is random, so that test files
 * that share a network almost never collide.
 */
let last = randomInt(4_000_000)

type Country = 'NZ' | 'AU'

/** Returns a new phone number in E.164 format. The number is unique in this process and far from the demo's own numbers. */
export function newMsisdn(country: Country = 'NZ'): string {
  last += 1
  return country === 'NZ' ? `+6421${6_000_000 + (last % 4_000_000)}` : `+61412${100_000 + (last % 900_000)}`
}

export function newMsisdnElsewhere(country: Country = 'NZ'): string {
  last += 1
  return country === 'NZ' ? `+6427${4_000_000 + (last % 1_000_000)}` : `+61413${100_000 + (last % 900_000)}`
}
