import { isIPv6 } from 'node:net'

/**
 * An address as limits count it. A household has a whole /64 of IPv6 to choose from, so it counts as one; an IPv4 address
 * counts as itself, also when it comes through a socket of IPv6.
 */
export function countedAddress(address: string): string {
  const [bare = ''] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped?.[1]) return mapped[1]
  return isIPv6(bare) ? `${groupsOf(bare).slice(0, 4).join(':')}::/64` : address
}

/**
 * The network that a counted address belongs to, where one that has thousands to choose from should still count as one: the
 * /48 that a site is given of IPv6; an IPv4 address is its own.
 */
export const countedNetwork = (counted: string): string => counted.replace(/^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/, '$1::/48')

/** The eight groups of an IPv6 address, without zeros in front. */
function groupsOf(address: string): string[] {
  // As URLs write it: lower case, no dots.
  const [front = '', back] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [left, right] = [front, back ?? ''].map((part) => part.split(':').filter((group) => group !== '')) as [string[], string[]]
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}
