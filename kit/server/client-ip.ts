import { BlockList, isIPv4, isIPv6 } from 'node:net'

export type IpRange = { ip: string; bits: number; family: 'ipv4' | 'ipv6' }

type RequestSender = { ip?: string | undefined; socket: { remoteAddress?: string | undefined } }

/**
 * Each request's client address. It is cached because a socket has no address once the visitor disconnects, but the request must still
 * count against that address.
 */
const clientIpCache = new WeakMap<RequestSender, string>()

/** Returns the client address used for rate limits. If a proxy forwards an invalid address, the proxy's own address is used. */
export function getClientIp(sender: RequestSender): string {
  const known = clientIpCache.get(sender)
  if (known) return known
  const { ip = '', socket } = sender
  const normalisedIp = normaliseIp(parseIp(ip) ?? socket.remoteAddress ?? '')
  clientIpCache.set(sender, normalisedIp)
  return normalisedIp
}

/**
 * Normalises an address for rate limits. An IPv6 address is reduced to its /64 network, because one household can use all of it. An IPv4
 * address stays as it is, even if it is mapped into IPv6. Ports, zones and different spellings make no difference.
 */
export function normaliseIp(ip: string): string {
  const bare = parseIp(ip)
  if (bare === null) return ip
  return isIPv4(bare) ? bare : `${bare.split(':').slice(0, 4).join(':')}::/64`
}

export function createProxyCheck(proxies: string[]): (ip: string | undefined) => boolean {
  const trustedRanges = new BlockList()
  for (const { ip, bits, family } of proxies.map(parseIpRange).filter((range) => range !== null))
    trustedRanges.addSubnet(ip, bits, family)
  return (entry) => {
    // A socket has no address once its visitor disconnects. Such a request is not trusted.
    const ip = parseIp(entry ?? '')
    return ip !== null && trustedRanges.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')
  }
}

/** Parses an address range such as `10.0.0.0/8`, or a single address. Returns `null` for anything else. */
export function parseIpRange(text: string): IpRange | null {
  const [, written = '', length] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  if (!isIPv4(written) && !isIPv6(written)) return null
  const maxBits = isIPv4(written) ? 32 : 128
  const bits = length === undefined ? maxBits : Number(length)
  const ip = parseIp(written)
  if (ip === null || bits > maxBits) return null
  // A range of IPv4-mapped IPv6 addresses is treated as a range of IPv4 addresses.
  if (isIPv4(ip) && maxBits === 128)
    return bits < 96 ? { ip: '::', bits, family: 'ipv6' } : { ip, bits: bits - 96, family: 'ipv4' }
  return { ip, bits, family: maxBits === 32 ? 'ipv4' : 'ipv6' }
}

/**
 * Parses an address such as `203.0.113.9`, `203.0.113.9:4711`, `[2001:db8::1]:443` or `fe80::1%eth0` into its canonical form. Returns
 * `null` for anything else.
 */
function parseIp(entry: string): string | null {
  const [, inBrackets, ipv4] = /^(?:\[([\da-f:.]+(?:%[^\]]*)?)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{0,5})?$/i.exec(entry) ?? []
  const [bare = ''] = (inBrackets ?? ipv4 ?? entry).split('%')
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return null
  const groups = parseIpv6Groups(bare)
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff' ? toDottedIPv4(groups.slice(6)) : groups.join(':')
}

/**
 * Returns a normalised address's network: the site's /48 for IPv6, or the address itself for IPv4. Limits use it against senders who have
 * thousands of addresses to choose from.
 */
export const toNetworkPrefix = (counted: string): string =>
  counted.replace(/^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/, '$1::/48')

function parseIpv6Groups(ip: string): string[] {
  const [front = '', back] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::')
  const [left, right] = [front, back ?? ''].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ]
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}

const toDottedIPv4 = (groups: string[]): string =>
  groups
    .map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
