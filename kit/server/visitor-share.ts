import { AsyncLocalStorage } from 'node:async_hooks'

/** Of twelve connections. A page asks for several things at once, and they come one after another as quickly. */
const shares = { session: 4, address: 8 }
/** As long as somebody waits for others of their own. */
const longestWaitMs = 2_000
/**
 * Maximum number of statements of one visitor that wait for a connection; a new call beyond it is refused. A call that
 * has already had a connection is never refused: all its statements may wait.
 */
const mostWaiting = 80

type Whose = { session: string } | { address: string }

type Call = {
  /** Whose it is: a session where there is one, else an address. */
  visitor: string
  share: number
  /** It has had a connection: it may have done something, so it is not refused any more. */
  hasBegun: boolean
  refusal(): Error
}

const underWay = new AsyncLocalStorage<Call>()

/** Runs what a visitor has asked for: whatever it asks the database counts as theirs. `refusal`: what it is told when it gets no turn. */
export function asVisitor(whose: Whose, refusal: () => Error, work: () => void): void {
  const call =
    'session' in whose
      ? { visitor: `session:${whose.session}`, share: shares.session }
      : { visitor: `address:${whose.address}`, share: shares.address }
  underWay.run({ ...call, hasBegun: false, refusal }, work)
}

type Taken = { count: number; waiting: (() => void)[] }

/**
 * Lets no visitor have more than a share of the connections of a pool: who resends while a row of theirs is locked waits for
 * themselves, and holds none of what others need. What the product does by itself has all of it.
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
     * Waits for a place, and answers how to give it back.
     * @throws its refusal for a call that has done nothing yet; for any other it is as if the database were away
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
    /** Visitors that have something under way. */
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
