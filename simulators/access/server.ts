import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'

/** TLS settings for a server, in PEM format. With `clientCa`, only clients that have a certificate from that CA can connect. */
export type ServerTls = { cert: string; key: string; clientCa?: string }

export function createServer(tls?: ServerTls, options: Pick<FastifyServerOptions, 'rewriteUrl'> = {}): FastifyInstance {
  const baseOptions = { forceCloseConnections: true, ...options }
  if (!tls) return Fastify(baseOptions)
  const { cert, key, clientCa } = tls
  const clientCertificateOptions =
    clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }
  // The cast is safe: HTTP and HTTPS servers have different types, but the routes never use what differs between them.
  return Fastify({ ...baseOptions, https: { cert, key, ...clientCertificateOptions } }) as unknown as FastifyInstance
}
