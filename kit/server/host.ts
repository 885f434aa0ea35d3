import { isIP } from 'node:net'

/**
 * Creates a check for the host names that a demo responds to: this machine's names and PUBLIC_URL's. Otherwise, any site could point one of
 * its own names at this machine and read the demo's mailbox from its page (DNS rebinding). An IP address cannot be claimed like a name, so
 * a demo that listens beyond this machine also accepts addresses.
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

/** Returns the host that a request is for. A full URL in the request line takes precedence over the `Host` header. */
export const getRequestHost = ({
  url = '/',
  headers,
}: {
  url?: string | undefined
  headers: { host?: string | undefined }
}): string | undefined => (url.startsWith('/') || !URL.canParse(url) ? headers.host : new URL(url).host)

/**
 * Parses a host into two parts: the host without the scheme's default port, and the name alone. Returns `null` if no browser would write
 * the host like that.
 */
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

/** Whether a host name is a loopback name. No other site can make such a name resolve to its own server. */
const isLoopback = (hostname: string): boolean =>
  /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
