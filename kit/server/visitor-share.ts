import { AsyncLocalStorage } from 'node:async_hooks'

/** Maximum connections per visitor, out of twelve. A page makes several requests at once, which are as fast one after another. */
const shares = { session: 4, address: 8 }
/** Maximum wait for the visitor's own other calls, in milliseconds. */
const longestWaitMs = 2_000
/**
 * Maximum statements of one visitor that wait for a connection. A new call beyond this number is rejected. A call that has already had a
 * connection is never rejected: all its statements may wait.
 */
const mostWaiting = 80

type Whose = { session: string } | { address: string }

type Call = {
  visitor: string
  share: number
  /** The call has had a connection. It may have changed something, so it is no longer rejected. */
  hasBegun: boolean
  refusal(): Error
}

const underWay = new AsyncLocalStorage<Call>()

export function asVisitor(whose: Whose, refusal: () => Error, work: () => void): void {
  const call =
    'session' in whose
      ? { visitor: `session:${whose.session}`, share: shares.session }
      : { visitor: `address:${whose.address}`, share: shares.address }
  underWay.run({ ...call, hasBegun: false, refusal }, work)
}

type Taken = { count: number; waiting: (() => void)[] }

/**
 * Limits each visitor to a share of the pool's connections. A visitor who resends calls while one of their rows is locked waits only for
 * themselves. The product's own work has no limit.
 */
export function createShares() {
  const taken = new Map<string, Taken>()

  function leave(visitor: string, theirs: Taken): void {
    const next = theirs.waiting.shift()
    if (next) return next()
    theirs.count -= 1
    if (theirs.count === 0) taken.delete(visitor)
  }

  return {
    /**
     * Waits for a place, and returns the function that releases it.
     * @throws the call's `refusal` if the call has done nothing yet, or else an error as if the database were away
     */
    async enter(): Promise<() => void> {
      const call = underWay.getStore()
      if (!call) return () => {}
      const theirs = taken.get(call.visitor) ?? { count: 0, waiting: [] }
      taken.set(call.visitor, theirs)
      if (theirs.count < call.share) theirs.count += 1
      else if (!mayWait(call, theirs) || !(await isSoon(theirs.waiting))) throw refusalOf(call)
      call.hasBegun = true
      return () => leave(call.visitor, theirs)
    },
    size: () => taken.size,
  }
}

const mayWait = ({ hasBegun }: Call, { waiting }: Taken): boolean => hasBegun || waiting.length < mostWaiting

async function isSoon(waiting: Taken['waiting']): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const come = (): void => resolve(true)
  waiting.push(come)
  const timer = setTimeout(() => {
    const at = waiting.indexOf(come)
    if (at < 0) return
    waiting.splice(at, 1)
    resolve(false)
  }, longestWaitMs)
  return promise.finally(() => clearTimeout(timer))
}

const refusalOf = ({ hasBegun, refusal }: Call): Error =>
  hasBegun ? new Error('timeout exceeded when trying to connect: the visitor has had their share') : refusal()
