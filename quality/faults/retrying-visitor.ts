import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Visitor } from '#quality/support/visitor.ts'

export type RequestStatistics = {
  calls: number
  slowest: { ms: number; what: string }
  /** The slowest request that was answered while a process was frozen. A frozen process does not respond until it is resumed. */
  slowestWhileStopped: { ms: number; what: string }
  /** The request that stayed unanswered longest before its process died or the customer gave up. */
  longestBroken: { ms: number; what: string }
  /** How long each answered request took, in milliseconds. */
  times: number[]
  /** The number of responses with status 429, or 500 and above, by status and active fault: `503 with Retry-After during restart`. */
  refusals: Map<string, number>
  unanswered: number
  samples: string[]
  during(): string
}

export const createRequestStatistics = (during: () => string): RequestStatistics => ({
  during,
  times: [],
  calls: 0,
  slowest: { ms: 0, what: '' },
  slowestWhileStopped: { ms: 0, what: '' },
  longestBroken: { ms: 0, what: '' },
  refusals: new Map(),
  unanswered: 0,
  samples: [],
})

export class RetriesExhaustedError extends Error {}

const giveUpAfterMs = 240_000
const maxSamples = 30

/**
 * Returns a visitor that behaves like a browser with a patient customer. The same request is repeated until there is a definite response;
 * no response, 429, and 500 and above are not definite.
 */
export function withRetries(visitor: Visitor, figures: RequestStatistics, signal: AbortSignal): Visitor {
  async function once(what: string, call: () => Promise<Answer>): Promise<Answer | null> {
    const [began, before] = [performance.now(), figures.during()]
    figures.calls += 1
    const answer = await call().catch(ignoreMissingResponse)
    const ms = performance.now() - began
    const isProcessFrozen = `${before}${figures.during()}`.includes('freeze')
    const slowestField = isProcessFrozen ? 'slowestWhileStopped' : 'slowest'
    const of = answer ? slowestField : 'longestBroken'
    if (ms > figures[of].ms) figures[of] = { ms, what: `${what} ${answer?.status ?? 'no answer'}${figures.during()}` }
    if (!answer) {
      figures.unanswered += 1
      return null
    }
    figures.times.push(ms)
    if (answer.status < 500 && answer.status !== 429) return answer
    const kind = `${answer.status}${answer.headers.has('retry-after') ? ' with Retry-After' : ''}${figures.during()}`
    figures.refusals.set(kind, (figures.refusals.get(kind) ?? 0) + 1)
    if (answer.status === 500 && figures.samples.length < maxSamples)
      figures.samples.push(`${what}: ${kind} ${JSON.stringify(answer.body).slice(0, 200)}`)
    return null
  }
  async function again(what: string, call: () => Promise<Answer>): Promise<Answer> {
    const end = performance.now() + giveUpAfterMs
    for (let wait = 250; ; wait = Math.min(wait * 1.5, 2_000)) {
      const answer = await once(what, call)
      if (answer) return answer
      signal.throwIfAborted()
      if (performance.now() > end)
        throw new RetriesExhaustedError(`${what} had no definite answer in ${giveUpAfterMs / 1_000} s`)
      await pause(wait)
    }
  }
  return {
    ...visitor,
    send: (method, path, init) => again(`${method} ${path}`, () => visitor.send(method, path, init)),
    get: (path, headers) => again(`GET ${path}`, () => visitor.get(path, headers)),
    post: (path, body, headers) => again(`POST ${path}`, () => visitor.post(path, body, headers)),
  }
}

/**
 * Returns null for errors that `fetch` throws if the connection fails, or if the response is late or incomplete.
 * @throws any other error
 */
function ignoreMissingResponse(error: unknown): null {
  if (error instanceof TypeError || error instanceof SyntaxError) return null
  if (error instanceof DOMException && ['TimeoutError', 'AbortError'].includes(error.name)) return null
  throw error
}
