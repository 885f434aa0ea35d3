import { busy } from '../refusal.ts'
import { createAddressCounts } from './address-counts.ts'

/** Gives a place back; a second time does nothing. */
export type Leave = () => void

type Who = {
  /** Those of one address share a part of the places. */
  address?: string
  /** Goes before those who are not known, and finds room where they find none. */
  isKnown?: boolean
  /** Who has gone waits no longer. */
  gone?: AbortSignal
}

export type Turns = {
  /** Resolves with a place. @throws 503 where all are taken and as many wait as may, or after too long a wait */
  take(who?: Who): Promise<Leave>
  figures(): { atWork: number; waiting: number }
}

type Bounds = {
  /** How many go on at once. */
  atOnce: number
  /** How many wait beside them; half as many more where they are known. */
  waiting: number
  /** How many of one address, waiting or not. */
  ofAddress?: number
  waitMs: number
}

/** Lets so many do something at once, so many wait for it, in their order, and refuses all others without a wait. */
export function createTurns({ atOnce, waiting, ofAddress = Infinity, waitMs }: Bounds): Turns {
  let atWork = 0
  const queue = createQueue(waitMs)
  const here = createAddressCounts()

  /** The place of one who leaves goes to the next. */
  const placeFor = (address: string): Leave =>
    once(() => {
      here.leave(address)
      if (!queue.callNext()) atWork -= 1
    })

  return {
    async take({ address = '', isKnown = false, gone } = {}) {
      if (gone?.aborted || here.of(address) >= ofAddress) throw busy()
      const isFree = atWork < atOnce
      if (!isFree && queue.length() >= (isKnown ? waiting * 1.5 : waiting)) throw busy()
      here.enter(address)
      if (isFree) atWork += 1
      else if (!(await queue.wait(isKnown, gone))) {
        here.leave(address)
        throw busy()
      }
      return placeFor(address)
    },
    figures: () => ({ atWork, waiting: queue.length() }),
  }
}

export function once(leave: Leave): Leave {
  let isLeft = false
  return () => {
    if (isLeft) return
    isLeft = true
    leave()
  }
}

type Waiter = { isKnown: boolean; settle(isCalled: boolean): void }

function createQueue(waitMs: number) {
  const queue: Waiter[] = []
  return {
    length: () => queue.length,
    /** False when nobody waits. */
    callNext(): boolean {
      const next = queue.shift()
      next?.settle(true)
      return next !== undefined
    },
    /** True when called; false when it has taken too long, or `gone` says that nobody waits any more. */
    wait(isKnown: boolean, gone?: AbortSignal): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiter), 1)
        waiter.settle(false)
      }
      const timer = setTimeout(giveUp, waitMs)
      gone?.addEventListener('abort', giveUp)
      const waiter: Waiter = {
        isKnown,
        settle(isCalled) {
          clearTimeout(timer)
          gone?.removeEventListener('abort', giveUp)
          resolve(isCalled)
        },
      }
      const at = isKnown ? queue.findIndex((each) => !each.isKnown) : -1
      queue.splice(at < 0 ? queue.length : at, 0, waiter)
      return promise
    },
  }
}
