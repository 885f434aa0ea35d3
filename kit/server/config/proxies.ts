import { BlockList } from 'node:net'
import { type IpRange, parseIpRange } from '../client-ip.ts'

/** Shortest prefixes accepted for public ranges. They match the widest ranges that large content delivery networks publish. */
const minPublicPrefix = { ipv4: 12, ipv6: 28 }

const privateRanges = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
]

/**
 * Finds faults in TRUSTED_PROXIES, the list of addresses whose X-Forwarded-For header is trusted. If every address were trusted, visitors
 * could choose the address that is counted as theirs.
 */
export const findProxyFaults = (proxies: string[]): string[] =>
  proxies.flatMap((proxy) => {
    const range = parseIpRange(proxy)
    if (!range)
      return `TRUSTED_PROXIES has ${JSON.stringify(proxy)}; each must be an address, or a range such as 10.0.0.0/8.`
    return isRangeTooWide(range)
      ? `TRUSTED_PROXIES has ${JSON.stringify(proxy)}, which is too large: name your own proxies, or ranges of /12 (IPv6: /28) or smaller.`
      : []
  })

const isRangeTooWide = (range: IpRange): boolean =>
  (range.bits < minPublicPrefix[range.family] || containsAllOfIPv4(range)) &&
  !privateRanges.some((whole) => isRangeWithin(range, parseIpRange(whole)))

const isRangeWithin = (range: IpRange, whole: IpRange | null): boolean =>
  whole !== null && range.bits >= whole.bits && createBlockList(whole).check(range.ip, range.family)

/** Whether an IPv6 range includes all IPv4-mapped addresses, and therefore every IPv4 address. */
const containsAllOfIPv4 = (range: IpRange): boolean =>
  range.family === 'ipv6' && range.bits < 128 && createBlockList(range).check('::ffff:0:0', 'ipv6')

function createBlockList({ ip, bits, family }: IpRange): BlockList {
  const list = new BlockList()
  list.addSubnet(ip, bits, family)
  return list
}
