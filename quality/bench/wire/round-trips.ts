import type { Asked } from './client-messages.ts'

/** A statement, along with the number of its round trip. Statements with the same number were sent together. */
export type RoundTripStatement = Asked & { depth: number }

export type RoundTripRecord = {
  asked: RoundTripStatement[]
  roundTrips: number
  /** The length of the longest chain of round trips in which each had to wait for the one before. */
  inARow: number
}

export type RoundTripCounter = {
  connection(): { asks(asked: Asked): void; waits(): void; isReady(): void }
  /** Returns the statements and round trips recorded since `take` was last called. */
  take(): RoundTripRecord
}

/**
 * Counts the round trips to a database server. If statements are sent before the server has answered earlier ones, they all count as the
 * same round trip.
 */
export function createRoundTripCounter(): RoundTripCounter {
  let heard: RoundTripRecord = { asked: [], roundTrips: 0, inARow: 0 }
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
