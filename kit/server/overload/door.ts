import { createAddressCounts } from './address-counts.ts'
import { type Leave, once } from './turns.ts'

/**
 * The order of admission. `first`: webhooks, health checks, and payments and order polls from known browsers. `known`: browsers that
 * recently logged in here or paid for an activation. `anyone`: all other calls.
 */
export type Rank = 'first' | 'known' | 'anyone'

/**
 * Maximum calls in progress of this rank and the ranks below it. The limit shrinks from `most` towards `least` while the process is more
 * than `bearsMs` late.
 */
type Bounds = { most: number; least: number; bearsMs: number }

const bounds: Record<Rank, Bounds> = {
  first: { most: 600, least: 600, bearsMs: Infinity },
  known: { most: 400, least: 160, bearsMs: 1_000 },
  anyone: { most: 200, least: 80, bearsMs: 250 },
}
const ranks: readonly Rank[] = ['anyone', 'known', 'first']

export type Door = {
  /** Returns a function that releases the place. `null` if this rank is full, or if the address already has half of its places. */
  enter(rank: Rank, address: string): Leave | null
  /**
   * Adapts the limits to the event loop's delay: a limit is halved while the delay exceeds its `bearsMs`, and otherwise grows by a tenth.
   */
  adapt(lateMs: number): void
  figures(): { atWork: Record<Rank, number>; places: Record<Rank, number> }
}

/** There is no queue: a call is admitted at once or rejected. */
export function createDoor(): Door {
  const atWork: Record<Rank, number> = { first: 0, known: 0, anyone: 0 }
  const places: Record<Rank, number> = {
    first: bounds.first.most,
    known: bounds.known.most,
    anyone: bounds.anyone.most,
  }
  const here = createAddressCounts()
  const upTo = (rank: Rank): number =>
    ranks.slice(0, ranks.indexOf(rank) + 1).reduce((sum, each) => sum + atWork[each], 0)

  return {
    enter(rank, address) {
      if (upTo(rank) >= places[rank] || here.of(address) >= places[rank] / 2) return null
      atWork[rank] += 1
      here.enter(address)
      return once(() => {
        atWork[rank] -= 1
        here.leave(address)
      })
    },
    adapt(lateMs) {
      for (const rank of ranks) {
        const { most, least, bearsMs } = bounds[rank]
        places[rank] =
          lateMs > bearsMs
            ? Math.max(least, Math.floor(places[rank] / 2))
            : Math.min(most, Math.ceil(places[rank] * 1.1))
      }
    },
    figures: () => ({ atWork: { ...atWork }, places: { ...places } }),
  }
}
