import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'

/** TLS settings of a server, as PEM. With `clientCa`, only clients with a certificate of that CA can connect. */
export type ServerTls = { cert: string; key: string; clientCa?: string }

export function createServer(tls?: ServerTls, options: Pick<FastifyServerOptions, 'rewriteUrl'> = {}): FastifyInstance {
  const baseOptions = { forceCloseConnections: true, ...options }
  if (!tls) return Fastify(baseOptions)
  const { cert, key, clientCa } = tls
  const clientCertificateOptions =
    clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }
  // The cast is safe: HTTP and HTTPS servers have different types, but the routes do not depend on the difference.
  return Fastify({ ...baseOptions, https: { cert, key, ...clientCertificateOptions } }) as unknown as FastifyInstance
}
