import { sql } from 'kysely'
import { realNow } from './clock.ts'
import type { Db } from './db.ts'
import type { Retries } from './retries.ts'

/** A row that somebody has until an instant of real time, in milliseconds: what its `retry_at` was set to. */
export type Lease = { key: string; until: number }

/** A lease that ends sooner than this is renewed: who renews it must have written so before another finds the row. */
const marginMs = 5_000

/**
 * Has something done to a row that is leased, and keeps the lease for as long as that takes. It is not begun where the lease has ended,
 * and another has the row, or did what there was to do: then nothing is to be done here.
 */
export async function whileLeased(db: Db, retries: Retries, lease: Lease, work: () => Promise<void>): Promise<void> {
  let { until } = lease
  let timer: NodeJS.Timeout | null = null
  let isDone = false
  const left = (): number => until - realNow().epochMilliseconds
  const renew = async (): Promise<boolean> => {
    const renewed = realNow().epochMilliseconds + retries.leaseSeconds * 1_000
    const isOurs = await renewLease(db, retries, { key: lease.key, until }, renewed)
    if (isOurs) until = renewed
    return isOurs
  }
  const keep = (): void => {
    if (isDone) return
    // Where it cannot be renewed the work goes on: it has begun, and says how it ended.
    timer = setTimeout(
      () =>
        void renew().then(
          (isOurs) => isOurs && keep(),
          () => {},
        ),
      Math.max(0, left() - marginMs),
    )
  }
  if (left() < marginMs && !(await renew())) return
  keep()
  try {
    await work()
  } finally {
    isDone = true
    if (timer) clearTimeout(timer)
  }
}

/** False when the row was leased by another, put off, or done with since. */
async function renewLease(db: Db, { table, key }: Retries, lease: Lease, until: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set retry_at = ${new Date(until)}
    where ${sql.ref(key)} = ${lease.key} and retry_at = ${new Date(lease.until)}`.execute(db)
  return numAffectedRows === 1n
}
