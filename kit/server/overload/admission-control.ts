import { createAddressCounts } from './address-counts.ts'
import { type ReleaseSlot, releaseOnce } from './semaphore.ts'

/**
 * Priority classes in the order in which they are admitted. `first`: webhooks, health checks, and payments and order polls from known
 * browsers. `known`: browsers that recently logged in here or paid for an activation. `anyone`: all other requests.
 */
export type PriorityClass = 'first' | 'known' | 'anyone'

/**
 * Maximum number of requests in progress for a priority class and the classes below it. While the event loop lags by more than `bearsMs`
 * milliseconds, the limit shrinks from `most` towards `least`.
 */
type CapacityLimit = { most: number; least: number; bearsMs: number }

const capacityLimits: Record<PriorityClass, CapacityLimit> = {
  first: { most: 600, least: 600, bearsMs: Infinity },
  known: { most: 400, least: 160, bearsMs: 1_000 },
  anyone: { most: 200, least: 80, bearsMs: 250 },
}
const priorityClasses: readonly PriorityClass[] = ['anyone', 'known', 'first']

export type AdmissionControl = {
  /**
   * Returns a function that releases the request's place, or `null` if this class is full or the address already holds half of the places.
   */
  enter(rank: PriorityClass, address: string): ReleaseSlot | null
  /**
   * Adapts the limits to the event loop's delay: a limit is halved while the delay exceeds its `bearsMs`, and otherwise grows by a tenth.
   */
  adapt(lateMs: number): void
  figures(): { atWork: Record<PriorityClass, number>; places: Record<PriorityClass, number> }
}

/** Creates an admission control without a queue: each request is admitted or rejected immediately. */
export function createAdmissionControl(): AdmissionControl {
  const activeCounts: Record<PriorityClass, number> = { first: 0, known: 0, anyone: 0 }
  const currentLimits: Record<PriorityClass, number> = {
    first: capacityLimits.first.most,
    known: capacityLimits.known.most,
    anyone: capacityLimits.anyone.most,
  }
  const requestsByAddress = createAddressCounts()
  const countUpToClass = (rank: PriorityClass): number =>
    priorityClasses.slice(0, priorityClasses.indexOf(rank) + 1).reduce((sum, each) => sum + activeCounts[each], 0)

  return {
    enter(rank, address) {
      if (countUpToClass(rank) >= currentLimits[rank] || requestsByAddress.of(address) >= currentLimits[rank] / 2)
        return null
      activeCounts[rank] += 1
      requestsByAddress.enter(address)
      return releaseOnce(() => {
        activeCounts[rank] -= 1
        requestsByAddress.leave(address)
      })
    },
    adapt(lateMs) {
      for (const rank of priorityClasses) {
        const { most, least, bearsMs } = capacityLimits[rank]
        currentLimits[rank] =
          lateMs > bearsMs
            ? Math.max(least, Math.floor(currentLimits[rank] / 2))
            : Math.min(most, Math.ceil(currentLimits[rank] * 1.1))
      }
    },
    figures: () => ({ atWork: { ...activeCounts }, places: { ...currentLimits } }),
  }
}
