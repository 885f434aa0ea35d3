import { realNow } from './clock.ts'
import type { Db } from './db.ts'
import { type Lease, renewLease, type Retries } from './retries.ts'

/** A lease that ends sooner than this is renewed: who renews it must have written so before another finds the row. */
const marginMs = 5_000

/**
 * Has something done to a row that is leased, and keeps the lease for as long as that takes. It is not begun where the lease has ended,
 * and another has the row, or did what there was to do: then nothing is to be done here.
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
    // Where it cannot be renewed the work goes on: it has begun, and says how it ended.
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
