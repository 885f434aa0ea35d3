import type { BoundedClient } from './bounded-client.ts'
import type { BoundedPool } from './bounded-pool.ts'
import { asSent } from './query-part.ts'
import { boundsInForce, isUsual } from './statement-bounds.ts'

type Ask = BoundedClient['query']
type Asked = { statement: string; values: readonly unknown[]; answer: PromiseWithResolvers<Awaited<ReturnType<Ask>>> }

/** Whoever is last waits for all before it; so many take a server less time than to be sent one by one takes us. */
const mostAtOnce = 8

/**
 * Reads that are asked in the same turn of the event loop, by whichever visitors, sent on one connection in one write, and answered
 * in one: one that fails fails alone, as what stood behind it is asked again. To write to the database, and to hear of each answer by
 * itself, was a third of what a read costs this process.
 */
export function createPipelinedReads(pool: Pick<BoundedPool, 'connect'>): Ask {
  let turn: Asked[] = []

  async function send(asked: Asked[]): Promise<void> {
    const client = await pool.connect().catch((error: unknown) => {
      for (const { answer } of asked) answer.reject(error)
    })
    if (!client) return
    const answers = await client.readAll(asked)
    client.release()
    for (const [at, { answer }] of asked.entries()) {
      const came = answers[at]
      if (came?.status === 'fulfilled') answer.resolve(came.value)
      else answer.reject(came?.reason)
    }
  }

  function sendAll(): void {
    const asked = turn
    turn = []
    for (let at = 0; at < asked.length; at += mostAtOnce) void send(asked.slice(at, at + mostAtOnce))
  }

  // Written down by who asks: what cannot be is nobody else's fault.
  return async (statement, values = []) => {
    const answer: Asked['answer'] = Promise.withResolvers()
    if (turn.push({ statement, values: asSent(values), answer }) === 1) setImmediate(sendAll)
    return answer.promise
  }
}

/** So many different ones are remembered; lists of many lengths are many different ones. */
const mostKnown = 5_000
const known = new Map<string, boolean>()

/**
 * Whether a statement may have others sent behind it: it reads, waits for nobody's row, and may take no longer than usual. What begins with
 * `with` may write.
 */
export function isPlainRead(statement: string): boolean {
  if (!isUsual(boundsInForce())) return false
  const before = known.get(statement)
  if (before !== undefined) return before
  if (known.size >= mostKnown) known.clear()
  const is =
    /^\s*select\b/i.test(statement) &&
    !/;|\bfor (?:update|share|no key|key share)\b|\bpg_|\binto\b|\bset_config\b|\bnextval\b/i.test(statement)
  known.set(statement, is)
  return is
}
