import { fromDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Deadline } from '#kit/server/sweeps.ts'
import { lapseActivations, nextLapse } from './activation.store.ts'

/** An activation that nobody touches for a day lapses, and its answers are forgotten. */
export const activationDeadlines = ({ db }: { db: Db }): Deadline[] => [
  {
    name: 'activation.lapse',
    async next() {
      const due = await nextLapse(db)
      return due && fromDate(due)
    },
    run: (now) => lapseActivations(db, now),
  },
]
