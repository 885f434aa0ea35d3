import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'

/** PEM. With `clientCa`, only clients with a certificate of that CA can connect. */
export type ServerTls = { cert: string; key: string; clientCa?: string }

export function createServer(tls?: ServerTls, options: Pick<FastifyServerOptions, 'rewriteUrl'> = {}): FastifyInstance {
  const baseOptions = { forceCloseConnections: true, ...options }
  if (!tls) return Fastify(baseOptions)
  const { cert, key, clientCa } = tls
  const clientCertificateOptions =
    clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }
  // HTTP and HTTPS servers have different types, which the routes do not depend on.
  return Fastify({ ...baseOptions, https: { cert, key, ...clientCertificateOptions } }) as unknown as FastifyInstance
}
