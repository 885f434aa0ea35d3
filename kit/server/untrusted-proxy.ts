import type { FastifyInstance } from 'fastify'
import { normaliseIp, createProxyCheck } from './client-ip.ts'

// Our own proxies have addresses in one of these private ranges: RFC 1918, RFC 4193, loopback and link-local.
const isPrivateAddress = createProxyCheck([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
])

/**
 * Warns once if a request with an X-Forwarded-For header comes from an address that is not a trusted proxy. A visitor may have set the
 * header. But if the address belongs to one of our proxies, all customers share the rate limits of that one address.
 */
export function warnAboutUntrustedProxy(app: FastifyInstance, trusted: string[]): void {
  const isTrusted = createProxyCheck(trusted)
  let hasWarned = false
  app.addHook('onRequest', async (request) => {
    if (hasWarned || request.headers['x-forwarded-for'] === undefined) return
    const from = request.socket.remoteAddress ?? ''
    if (isTrusted(from)) return
    hasWarned = true
    request.log.warn(
      // The log must not contain a visitor's address.
      { from: isPrivateAddress(from) ? normaliseIp(from) : 'a public address' },
      'a forwarded address came from a proxy that is not trusted: if it is yours, name it in TRUSTED_PROXIES, ' +
        'or all its customers share the limits of one address',
    )
  })
}
