import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ReleaseSlot } from './semaphore.ts'

/**
 * Releases each request's place when its response is ready. If the visitor disconnects earlier, the place stays taken, because the work
 * continues until there is a response.
 */
export function createReleaseOnResponse(app: FastifyInstance): (reply: FastifyReply, leave: ReleaseSlot) => void {
  const pendingReleases = new WeakMap<object, { leave: ReleaseSlot; isAnswered: boolean }>()
  app.addHook('onSend', async (_request, { raw }, payload) => {
    const call = pendingReleases.get(raw)
    if (call) call.isAnswered = true
    // The whole response is ready, so a client that reads slowly or not at all must not block other requests.
    if (raw.closed || isCompletePayload(payload)) call?.leave()
    return payload
  })
  return (reply, leave) => {
    const [{ raw }, call] = [reply, { leave, isAnswered: false }]
    pendingReleases.set(raw, call)
    raw.once('finish', leave)
    // Hijacked replies (`reply.sent`) don't run the `onSend` hook.
    raw.once('close', () => (call.isAnswered || reply.sent) && leave())
  }
}

const isCompletePayload = (payload: unknown): boolean =>
  payload === null || payload === undefined || typeof payload === 'string' || payload instanceof Uint8Array
