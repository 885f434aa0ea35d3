import type { FastifyInstance } from 'fastify'
import { readsAs, type Json, translateUrl, writesAs } from './dialect-words.ts'
import { faultBody } from './fault.ts'

export const dialects = ['tasman'] as const
/** `tasman`: a carrier that says everything otherwise that carriers do say otherwise. */
export type Dialect = (typeof dialects)[number]

/** The address of a call, before a route is looked for; of controls it stays as it is. */
export const rewriteUrl = (url: string): string => (isControl(url) ? url : translateUrl(url))

/** Has the server hear and answer in the dialect; the network behind it remains what it is. */
export function speakDialect(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (!isControl(request.url)) request.body = readsAs(request.body as Json)
  })
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (isControl(request.url)) return payload
    // It knows no counts, refuses what it has already, and calls refusals errors of its own.
    reply.removeHeader('x-total-count')
    const isRepeat =
      request.method === 'POST' && request.routeOptions.url?.endsWith('/serviceOrder') && reply.statusCode === 200
    const body = isRepeat ? faultBody(409, 'DUPLICATE', 'There is an order of this reference.') : payload
    if (isRepeat || reply.statusCode === 409) reply.code(500)
    return writesAs(JSON.parse(JSON.stringify(body)) as Json)
  })
}

const isControl = (url: string): boolean => url.startsWith('/_simulator/')
