import { sql } from 'kysely'
import { type Clock, fromDate, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import {
  type ActivationRow,
  listLapsedWithOrder,
  lapseActivations,
  findNextLapse,
  updateLapsed,
} from './activation.store.ts'
import { findActivationOrder } from './activation-order.ts'
import { getVisibleUntil } from './activation-visibility.ts'
import { purgeActivationsWithoutOrder } from './unpaid-activations.store.ts'

/** Ends activations in which no step has been submitted for a day, and deletes their password hashes. */
export const activationSweeps = ({ db }: { db: Db }): Sweep[] => [
  {
    name: 'activation.lapse',
    isDue: isDueByApplicationClock('activations', 'lapses_at', sql`ended_at is null`),
    async next() {
      const nextLapseTime = await findNextLapse(db)
      return nextLapseTime && fromDate(nextLapseTime)
    },
    async run(now) {
      await lapseActivations(db, now)
      for (
        let lapsed = await listLapsedWithOrder(db, now);
        lapsed.length > 0;
        lapsed = await listLapsedWithOrder(db, now)
      ) {
        for (const activation of lapsed) await lapseActivationWithOrder(db, activation, now)
      }
    },
  },
]

export const activationUpkeep = ({ db, clock }: { db: Db; clock: Clock }): Upkeep => ({
  name: 'activations.old',
  everyMs: 3_600_000,
  run: () => purgeActivationsWithoutOrder(db, clock.now()),
})

/**
 * Handles an activation that has an order, once its `lapses_at` time has passed. While the order is open, the activation never lapses.
 * After a success, the activation stays visible for a day; after any other outcome, it ends.
 */
async function lapseActivationWithOrder(db: Db, activation: ActivationRow, now: Temporal.Instant): Promise<void> {
  const order = await findActivationOrder(db, activation)
  if (order && !isEndState(order.state))
    return updateLapsed(db, activation, { lapses_at: toDate(now.add({ hours: 24 })) })
  const until = order && getVisibleUntil(order)
  return updateLapsed(
    db,
    activation,
    until && Temporal.Instant.compare(now, until) < 0
      ? { lapses_at: toDate(until), password_hash: null }
      : { ended_at: toDate(now) },
  )
}
