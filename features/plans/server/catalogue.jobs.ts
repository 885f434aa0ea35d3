import { sql } from 'kysely'
import { type Clock, fromDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import { applyDueCatalogues } from './catalogue.ts'
import { findNextVersionDue } from './catalogue.store.ts'

export const catalogueSweep = (deps: { db: Db; clock: Clock }): Sweep => ({
  name: 'catalogue.due',
  isDue: isDueByApplicationClock('catalogue_versions', 'effective_at', sql`applied_at is null and canceled_at is null`),
  async next() {
    const nextDueAt = await findNextVersionDue(deps.db)
    return nextDueAt && fromDate(nextDueAt)
  },
  async run(now) {
    const nextDue = await findNextVersionDue(deps.db)
    // This job runs twice a second, so check for a due catalogue before taking the lock.
    if (nextDue && Temporal.Instant.compare(fromDate(nextDue), now) <= 0) await applyDueCatalogues(deps, now)
  },
})
