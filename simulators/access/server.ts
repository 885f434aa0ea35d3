import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'

/** PEM. With `clientCa`, only clients with a certificate of that CA can connect. */
export type ServerTls = { cert: string; key: string; clientCa?: string }

export function createServer(tls?: ServerTls, options: Pick<FastifyServerOptions, 'rewriteUrl'> = {}): FastifyInstance {
  const always = { forceCloseConnections: true, ...options }
  if (!tls) return Fastify(always)
  const { cert, key, clientCa } = tls
  const asking = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }
  // HTTP and HTTPS servers have different types, which the routes do not depend on.
  return Fastify({ ...always, https: { cert, key, ...asking } }) as unknown as FastifyInstance
}
