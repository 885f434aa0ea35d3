import { busy } from '../refusal.ts'
import { createAddressCounts } from './address-counts.ts'

/** Releases a place; further calls do nothing. */
export type Leave = () => void

type Who = {
  address?: string
  isKnown?: boolean
  gone?: AbortSignal
}

export type Turns = {
  /**
   * Resolves with a function that releases the place.
   * @throws 503 when the queue or the address's share is full, or after too long a wait
   */
  take(who?: Who): Promise<Leave>
  figures(): { atWork: number; waiting: number }
}

type Bounds = {
  atOnce: number
  waiting: number
  ofAddress?: number
  waitMs: number
}

export function createTurns({ atOnce, waiting, ofAddress = Infinity, waitMs }: Bounds): Turns {
  let atWork = 0
  const queue = createQueue(waitMs)
  const here = createAddressCounts()

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
    callNext(): boolean {
      const next = queue.shift()
      next?.settle(true)
      return next !== undefined
    },
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
