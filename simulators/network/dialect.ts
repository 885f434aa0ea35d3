import type { FastifyInstance } from 'fastify'
import { translateRequest, type Json, translateUrl, translateResponse } from './dialect-translation.ts'
import { faultBody } from './fault.ts'

export const dialects = ['tasman'] as const
/** Dialects of the simulated API. `tasman` imitates a carrier that differs from the defaults in every way that real carriers do. */
export type Dialect = (typeof dialects)[number]

export const rewriteUrl = (url: string): string => (isControlUrl(url) ? url : translateUrl(url))

export function applyDialect(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (!isControlUrl(request.url)) request.body = translateRequest(request.body as Json)
  })
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (isControlUrl(request.url)) return payload
    // The `tasman` dialect sends no total counts, rejects repeated orders, and responds with 500 where the default API responds with 409.
    reply.removeHeader('x-total-count')
    const isDuplicateOrder =
      request.method === 'POST' && request.routeOptions.url?.endsWith('/serviceOrder') && reply.statusCode === 200
    const body = isDuplicateOrder
      ? faultBody(409, 'DUPLICATE', 'An order with this reference already exists.')
      : payload
    if (isDuplicateOrder || reply.statusCode === 409) reply.code(500)
    return translateResponse(JSON.parse(JSON.stringify(body)) as Json)
  })
}

const isControlUrl = (url: string): boolean => url.startsWith('/_simulator/')
