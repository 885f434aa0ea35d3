import { isIP } from 'node:net'

/**
 * The host names that a demo answers to: this machine's, and that of PUBLIC_URL. Otherwise any site could point a name of its own at this
 * machine, and its page could read the demo's mailbox (DNS rebinding). An IP address cannot be claimed like a name, so the demo also
 * accepts addresses where it listens beyond this machine.
 */
export function createDemoHostCheck({
  publicUrl,
  listensAt,
}: {
  publicUrl: string
  listensAt: string
}): (host: string | undefined) => boolean {
  const { protocol, host: publicHost } = new URL(publicUrl)
  const [, ownName] = parseHost(isIP(listensAt) === 6 ? `[${listensAt}]` : listensAt, protocol) ?? []
  const acceptsIps = ownName !== undefined && !isLoopback(ownName)
  return (written) => {
    const [host, name] = parseHost(written, protocol) ?? []
    if (host === undefined || name === undefined) return false
    return isLoopback(name) || host === publicHost || (acceptsIps && (name === ownName || isIpAddress(name)))
  }
}

export function isLoopbackHost(written: string | undefined): boolean {
  const [, name] = parseHost(isIP(written ?? '') === 6 ? `[${written}]` : written, 'http:') ?? []
  return name !== undefined && isLoopback(name)
}

/** A full URL in the request line takes precedence over the `Host` header. */
export const requestHostOf = ({
  url = '/',
  headers,
}: {
  url?: string | undefined
  headers: { host?: string | undefined }
}): string | undefined => (url.startsWith('/') || !URL.canParse(url) ? headers.host : new URL(url).host)

/** The host with any port that is not the scheme's default, and the name alone; `null` if no browser would write it like that. */
function parseHost(written = '', protocol: string): [host: string, name: string] | null {
  if (
    !/^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i.test(written) ||
    !URL.canParse(`${protocol}//${written}`)
  )
    return null
  const { host, hostname } = new URL(`${protocol}//${written}`)
  return [host, hostname.replace(/\.$/, '')]
}

const isIpAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0

/** No other site can make these names lead to itself. */
const isLoopback = (hostname: string): boolean =>
  /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
