import { createAddressCounts } from './address-counts.ts'
import { type Leave, once } from './turns.ts'

/**
 * The order of admission. `first`: webhooks, health checks, and payments and order polls from known browsers. `known`: browsers that
 * recently logged in here or paid for an activation. `anyone`: all other calls.
 */
export type Rank = 'first' | 'known' | 'anyone'

/** How many may be at work of this rank and those behind it: `least` is left of `most` while the process is later than `bearsMs`. */
type Bounds = { most: number; least: number; bearsMs: number }

const bounds: Record<Rank, Bounds> = {
  first: { most: 600, least: 600, bearsMs: Infinity },
  known: { most: 400, least: 160, bearsMs: 1_000 },
  anyone: { most: 200, least: 80, bearsMs: 250 },
}
const ranks: readonly Rank[] = ['anyone', 'known', 'first']

export type Door = {
  /** A place, or null: there is none for this rank, or its address has half of them. */
  enter(rank: Rank, address: string): Leave | null
  /** Says how late the process is: rooms shrink by half while it is too late for them, and grow again by a tenth. */
  adapt(lateMs: number): void
  figures(): { atWork: Record<Rank, number>; places: Record<Rank, number> }
}

/** Counts who is at work. Nobody waits here: who has a place begins at once, and everybody else is told to come again. */
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
