import { realNow } from './clock.ts'
import type { Db } from './db.ts'
import { type Lease, renewLease, type Retries } from './retries.ts'

/** A lease with less time left is renewed. The renewal must be stored before another worker finds the row. */
const marginMs = 5_000

/**
 * Runs work on a leased row, and renews the lease for as long as the work takes. The work does not begin if the lease has ended and another
 * worker has leased or completed the row.
 */
export async function whileLeased(db: Db, retries: Retries, lease: Lease, work: () => Promise<void>): Promise<void> {
  let { until } = lease
  let timer: NodeJS.Timeout | undefined
  let isDone = false
  const left = (): number => until - realNow().epochMilliseconds
  const renew = async (): Promise<boolean> => {
    const renewed = await renewLease(db, retries, { key: lease.key, until })
    until = renewed ?? until
    return renewed !== null
  }
  const keepOn = async (): Promise<void> => {
    if (await renew()) keep()
  }
  const keep = (): void => {
    if (isDone) return
    // If the lease cannot be renewed, the work goes on: it has begun, and stores its own outcome.
    timer = setTimeout(() => void keepOn().catch(() => {}), Math.max(0, left() - marginMs))
  }
  if (left() < marginMs && !(await renew())) return
  keep()
  try {
    await work()
  } finally {
    isDone = true
    clearTimeout(timer)
  }
}
