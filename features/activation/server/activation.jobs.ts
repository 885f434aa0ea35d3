import { sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { dueBy } from '#kit/server/due.ts'
import { sessionDays } from '#kit/server/session.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import { isOver } from '#features/orders/orders.states.ts'
import {
  type ActivationRow,
  findLapsedWithOrder,
  lapseActivations,
  nextLapse,
  updateLapsed,
} from './activation.store.ts'
import { orderOf } from './activation-order.ts'

/** An activation that is not touched for a day lapses, and its answers are forgotten. */
export const activationSweeps = ({ db }: { db: Db }): Sweep[] => [
  {
    name: 'activation.lapse',
    isDue: dueBy('activations', 'lapses_at', sql`ended_at is null`),
    async next() {
      const due = await nextLapse(db)
      return due && fromDate(due)
    },
    async run(now) {
      await lapseActivations(db, now)
      for (
        let lapsed = await findLapsedWithOrder(db, now);
        lapsed.length > 0;
        lapsed = await findLapsedWithOrder(db, now)
      ) {
        for (const activation of lapsed) await lapseByOrder(db, activation, now)
      }
    },
  },
]

/** Nothing was kept of a refused order. One that runs never lapses, and how one ended is shown as long as a session lives. */
async function lapseByOrder(db: Db, activation: ActivationRow, now: Temporal.Instant): Promise<void> {
  const order = await orderOf(db, activation)
  if (!order || order.state === 'refused') return updateLapsed(db, activation, { ended_at: toDate(now) })
  if (!isOver(order.state)) return updateLapsed(db, activation, { lapses_at: toDate(now.add({ hours: 24 })) })
  const shownUntil = fromDate(activation.started_at).add({ hours: 24 * sessionDays })
  const isOld = Temporal.Instant.compare(shownUntil, now) <= 0
  return updateLapsed(
    db,
    activation,
    isOld ? { ended_at: toDate(now) } : { lapses_at: toDate(shownUntil), password_hash: null },
  )
}
