import { realNow } from './clock.ts'
import type { Db } from './db.ts'
import { type Lease, renewLease, type RetryQueue } from './retry-queue.ts'

/** A lease is renewed when it has less than this many milliseconds left. The renewal must be stored before another worker finds the row. */
const renewalMarginMs = 5_000

/**
 * Runs work on a leased row, renewing the lease for as long as the work takes. The work does not start if the lease has expired and another
 * worker has leased or completed the row.
 */
export async function runUnderLease(
  db: Db,
  retries: RetryQueue,
  lease: Lease,
  work: () => Promise<void>,
): Promise<void> {
  let { until } = lease
  let timer: NodeJS.Timeout | undefined
  let isDone = false
  const remainingMs = (): number => until - realNow().epochMilliseconds
  const renew = async (): Promise<boolean> => {
    const renewedUntil = await renewLease(db, retries, { key: lease.key, until })
    until = renewedUntil ?? until
    return renewedUntil !== null
  }
  const renewAndReschedule = async (): Promise<void> => {
    if (await renew()) scheduleRenewal()
  }
  const scheduleRenewal = (): void => {
    if (isDone) return
    // If the lease cannot be renewed, the work continues, because it has already started and stores its own outcome.
    timer = setTimeout(() => void renewAndReschedule().catch(() => {}), Math.max(0, remainingMs() - renewalMarginMs))
  }
  if (remainingMs() < renewalMarginMs && !(await renew())) return
  scheduleRenewal()
  try {
    await work()
  } finally {
    isDone = true
    clearTimeout(timer)
  }
}
