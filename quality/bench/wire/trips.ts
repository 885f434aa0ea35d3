import type { Asked } from './client-messages.ts'

/** A statement, and how many ways there and back came before it: those of the same number went side by side. */
export type Trip = Asked & { depth: number }

export type Trips = {
  asked: Trip[]
  /** Ways there and back, on whatever connection. */
  roundTrips: number
  /** The longest row of them, each of which waited for the one before. */
  inARow: number
}

export type TripCounter = {
  /** A connection of its own counter. */
  connection(): { asks(asked: Asked): void; waits(): void; isReady(): void }
  /** What was heard since the last time. */
  take(): Trips
}

/** Counts the ways to a server and back. What is sent before the answer to what went before is the same way. */
export function createTripCounter(): TripCounter {
  let heard: Trips = { asked: [], roundTrips: 0, inARow: 0 }
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
