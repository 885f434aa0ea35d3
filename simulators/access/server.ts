import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'

/** In PEM. With `clientCa` only clients with a certificate of that CA get as far as a request. */
export type ServerTls = { cert: string; key: string; clientCa?: string }

/** A server that is not listening yet, over TLS if there are certificates for it. Its end cuts what is under way. */
export function createServer(tls?: ServerTls, options: Pick<FastifyServerOptions, 'rewriteUrl'> = {}): FastifyInstance {
  const always = { forceCloseConnections: true, ...options }
  if (!tls) return Fastify(always)
  const { cert, key, clientCa } = tls
  const asking = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }
  // The routes have nothing to do with what the server stands on, which is all that the two types differ in.
  return Fastify({ ...always, https: { cert, key, ...asking } }) as unknown as FastifyInstance
}
