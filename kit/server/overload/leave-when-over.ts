import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Leave } from './turns.ts'

/**
 * Has the place of each call given back when its answer is there. A visitor who hangs up gives none back: what was begun for them goes on
 * until it has an answer, though there is nobody to send it to.
 */
export function leaveWhenOver(app: FastifyInstance): (reply: FastifyReply, leave: Leave) => void {
  const leaves = new WeakMap<object, { leave: Leave; isAnswered: boolean }>()
  app.addHook('onSend', async (_request, { raw }, payload) => {
    const call = leaves.get(raw)
    if (call) call.isAnswered = true
    // All of it is there: who reads it slowly, or never, keeps nobody out.
    if (raw.closed || isWhole(payload)) call?.leave()
    return payload
  })
  return (reply, leave) => {
    const [{ raw }, call] = [reply, { leave, isAnswered: false }]
    leaves.set(raw, call)
    raw.once('finish', leave)
    // What others answer (`reply.sent`: it was handed over to them) comes to no hook.
    raw.once('close', () => (call.isAnswered || reply.sent) && leave())
  }
}

const isWhole = (payload: unknown): boolean =>
  payload === null || payload === undefined || typeof payload === 'string' || payload instanceof Uint8Array
