import { isIP } from 'node:net'

/**
 * The names that a demo answers to: this machine's, and that of PUBLIC_URL. Any other site could have a name of its own lead to this
 * machine, and its page would read the demo's mailbox as its own. An address cannot be claimed as a name is: where the demo listens to
 * more than this machine, it answers to addresses, too.
 */
export function demoHosts({
  publicUrl,
  listensAt,
}: {
  publicUrl: string
  listensAt: string
}): (host: string | undefined) => boolean {
  const { protocol, host: publicHost } = new URL(publicUrl)
  const [, ownName] = readHost(isIP(listensAt) === 6 ? `[${listensAt}]` : listensAt, protocol) ?? []
  const takesIps = ownName !== undefined && !isLoopback(ownName)
  return (written) => {
    const [host, name] = readHost(written, protocol) ?? []
    if (host === undefined || name === undefined) return false
    return isLoopback(name) || host === publicHost || (takesIps && (name === ownName || isIp(name)))
  }
}

/** Whether a host is this machine under a name or an address that no other site can have. */
export function isThisMachine(written: string | undefined): boolean {
  const [, name] = readHost(isIP(written ?? '') === 6 ? `[${written}]` : written, 'http:') ?? []
  return name !== undefined && isLoopback(name)
}

/** Where a request is sent to, as its sender wrote it: a whole URL in the first line counts before the header. */
export const hostOf = ({
  url = '/',
  headers,
}: {
  url?: string | undefined
  headers: { host?: string | undefined }
}): string | undefined => (url.startsWith('/') || !URL.canParse(url) ? headers.host : new URL(url).host)

/** Host with the port that is not the scheme's own, and the name alone; null when it is written as no browser does. */
function readHost(written = '', protocol: string): [host: string, name: string] | null {
  if (
    !/^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i.test(written) ||
    !URL.canParse(`${protocol}//${written}`)
  )
    return null
  const { host, hostname } = new URL(`${protocol}//${written}`)
  return [host, hostname.replace(/\.$/, '')]
}

const isIp = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0

/** No other site can have these lead to itself. */
const isLoopback = (hostname: string): boolean =>
  /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
