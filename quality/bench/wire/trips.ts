import type { Asked } from './client-messages.ts'

/** A statement, with the number of round trips before it. Statements with the same number were sent side by side. */
export type RoundTripStatement = Asked & { depth: number }

export type TripRecord = {
  asked: RoundTripStatement[]
  roundTrips: number
  /** The longest chain of round trips that waited for each other. */
  inARow: number
}

export type TripCounter = {
  connection(): { asks(asked: Asked): void; waits(): void; isReady(): void }
  /** Returns what was recorded since the last time. */
  take(): TripRecord
}

/** Counts round trips to a server. Everything that is sent before the answer to an earlier part belongs to the same round trip. */
export function createTripCounter(): TripCounter {
  let heard: TripRecord = { asked: [], roundTrips: 0, inARow: 0 }
  return {
    connection() {
      let [depth, unanswered] = [0, 0]
      return {
        asks(asked) {
          if (depth === 0) {
            depth = heard.inARow + 1
            heard.roundTrips += 1
          }
          heard.asked.push({ ...asked, depth })
        },
        waits: () => void (unanswered += 1),
        isReady() {
          unanswered = Math.max(0, unanswered - 1)
          if (unanswered > 0 || depth === 0) return
          heard.inARow = Math.max(heard.inARow, depth)
          depth = 0
        },
      }
    },
    take() {
      const taken = heard
      heard = { asked: [], roundTrips: 0, inARow: 0 }
      return taken
    },
  }
}
