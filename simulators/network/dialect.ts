import type { FastifyInstance } from 'fastify'
import { translateRequest, type Json, translateUrl, translateResponse } from './dialect-translation.ts'
import { faultBody } from './fault.ts'

export const dialects = ['tasman'] as const
/** `tasman`: a carrier that differs from the defaults in every way in which carriers do differ. */
export type Dialect = (typeof dialects)[number]

export const rewriteUrl = (url: string): string => (isControl(url) ? url : translateUrl(url))

export function applyDialect(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (!isControl(request.url)) request.body = translateRequest(request.body as Json)
  })
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (isControl(request.url)) return payload
    // The dialect sends no total counts, rejects repeated orders, and uses 500 for rejections that are 409 otherwise.
    reply.removeHeader('x-total-count')
    const isRepeat =
      request.method === 'POST' && request.routeOptions.url?.endsWith('/serviceOrder') && reply.statusCode === 200
    const body = isRepeat ? faultBody(409, 'DUPLICATE', 'There is an order of this reference.') : payload
    if (isRepeat || reply.statusCode === 409) reply.code(500)
    return translateResponse(JSON.parse(JSON.stringify(body)) as Json)
  })
}

const isControl = (url: string): boolean => url.startsWith('/_simulator/')
