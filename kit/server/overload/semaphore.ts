import { serviceUnavailable } from '../http-error.ts'
import { createAddressCounts } from './address-counts.ts'

/** Releases a place in a semaphore. Calling it again does nothing. */
export type ReleaseSlot = () => void

type AcquireOptions = {
  address?: string
  isKnown?: boolean
  gone?: AbortSignal
}

export type Semaphore = {
  /**
   * Waits for a place, and resolves to a function that releases it.
   * @throws 503 if the queue or the address's share is full, or after waiting too long
   */
  take(who?: AcquireOptions): Promise<ReleaseSlot>
  figures(): { atWork: number; waiting: number }
}

type SemaphoreOptions = {
  atOnce: number
  waiting: number
  ofAddress?: number
  waitMs: number
}

export function createSemaphore({ atOnce, waiting, ofAddress = Infinity, waitMs }: SemaphoreOptions): Semaphore {
  let atWork = 0
  const queue = createQueue(waitMs)
  const requestsByAddress = createAddressCounts()

  const createSlotRelease = (address: string): ReleaseSlot =>
    releaseOnce(() => {
      requestsByAddress.leave(address)
      if (!queue.callNext()) atWork -= 1
    })

  return {
    async take({ address = '', isKnown = false, gone } = {}) {
      if (gone?.aborted || requestsByAddress.of(address) >= ofAddress) throw serviceUnavailable()
      const isFree = atWork < atOnce
      if (!isFree && queue.length() >= (isKnown ? waiting * 1.5 : waiting)) throw serviceUnavailable()
      requestsByAddress.enter(address)
      if (isFree) atWork += 1
      else if (!(await queue.wait(isKnown, gone))) {
        requestsByAddress.leave(address)
        throw serviceUnavailable()
      }
      return createSlotRelease(address)
    },
    figures: () => ({ atWork, waiting: queue.length() }),
  }
}

export function releaseOnce(leave: ReleaseSlot): ReleaseSlot {
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    leave()
  }
}

type QueuedWaiter = { isKnown: boolean; settle(isCalled: boolean): void }

function createQueue(waitMs: number) {
  const queue: QueuedWaiter[] = []
  return {
    length: () => queue.length,
    callNext(): boolean {
      const next = queue.shift()
      next?.settle(true)
      return next !== undefined
    },
    wait(isKnown: boolean, gone?: AbortSignal): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const cancelWait = (): void => {
        queue.splice(queue.indexOf(queuedWaiter), 1)
        queuedWaiter.settle(false)
      }
      const timer = setTimeout(cancelWait, waitMs)
      gone?.addEventListener('abort', cancelWait)
      const queuedWaiter: QueuedWaiter = {
        isKnown,
        settle(isCalled) {
          clearTimeout(timer)
          gone?.removeEventListener('abort', cancelWait)
          resolve(isCalled)
        },
      }
      const at = isKnown ? queue.findIndex((each) => !each.isKnown) : -1
      queue.splice(at < 0 ? queue.length : at, 0, queuedWaiter)
      return promise
    },
  }
}
