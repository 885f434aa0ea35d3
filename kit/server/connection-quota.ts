import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Maximum number of database connections per visitor, out of the pool's twelve. A page makes several requests at once, but running them one
 * after another is just as fast.
 */
const maxConnections = { session: 4, address: 8 }
/** Maximum time in milliseconds that a statement waits for the same visitor's other requests. */
const maxWaitMs = 2_000
/**
 * Maximum number of a visitor's statements that may wait for a connection. Beyond this limit, new requests are rejected. A request that has
 * already had a connection is never rejected: all its statements may wait.
 */
const maxWaitingStatements = 80

type VisitorKey = { session: string } | { address: string }

type Call = {
  visitor: string
  share: number
  /** True once the request has had a connection. The request may then have changed data, so it is no longer rejected. */
  hasBegun: boolean
  refusal(): Error
}

const currentRequest = new AsyncLocalStorage<Call>()

export function withConnectionQuota(whose: VisitorKey, refusal: () => Error, work: () => void): void {
  const call =
    'session' in whose
      ? { visitor: `session:${whose.session}`, share: maxConnections.session }
      : { visitor: `address:${whose.address}`, share: maxConnections.address }
  currentRequest.run({ ...call, hasBegun: false, refusal }, work)
}

type VisitorConnections = { count: number; waiting: (() => void)[] }

/**
 * Limits each visitor to a share of the pool's connections. A visitor who resends requests while one of their rows is locked delays only
 * their own requests. Background work has no limit.
 */
export function createConnectionQuotas() {
  const connectionsByVisitor = new Map<string, VisitorConnections>()

  function leave(visitor: string, theirs: VisitorConnections): void {
    const next = theirs.waiting.shift()
    if (next) return next()
    theirs.count -= 1
    if (theirs.count === 0) connectionsByVisitor.delete(visitor)
  }

  return {
    /**
     * Waits for a free connection in the visitor's share, and returns a function that releases it.
     * @throws the error from `refusal` if the request has not had a connection yet, or otherwise an error as if the database were
     * unavailable
     */
    async enter(): Promise<() => void> {
      const call = currentRequest.getStore()
      if (!call) return () => {}
      const visitorConnections = connectionsByVisitor.get(call.visitor) ?? { count: 0, waiting: [] }
      connectionsByVisitor.set(call.visitor, visitorConnections)
      if (visitorConnections.count < call.share) visitorConnections.count += 1
      else if (!canWait(call, visitorConnections) || !(await waitForConnection(visitorConnections.waiting)))
        throw createRejection(call)
      call.hasBegun = true
      return () => leave(call.visitor, visitorConnections)
    },
    size: () => connectionsByVisitor.size,
  }
}

const canWait = ({ hasBegun }: Call, { waiting }: VisitorConnections): boolean =>
  hasBegun || waiting.length < maxWaitingStatements

async function waitForConnection(waiting: VisitorConnections['waiting']): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const resumeWaiter = (): void => resolve(true)
  waiting.push(resumeWaiter)
  const timer = setTimeout(() => {
    const at = waiting.indexOf(resumeWaiter)
    if (at < 0) return
    waiting.splice(at, 1)
    resolve(false)
  }, maxWaitMs)
  return promise.finally(() => clearTimeout(timer))
}

const createRejection = ({ hasBegun, refusal }: Call): Error =>
  hasBegun ? new Error('timeout exceeded when trying to connect: the visitor has had their share') : refusal()
