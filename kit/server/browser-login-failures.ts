import { realNow, toDate } from './clock.ts'
import type { Db, Trx } from './db.ts'
import { hashToken } from './secrets.ts'

declare module './db.ts' {
  interface Tables {
    browser_failures: { device_hash: string; failures: number; failed_at: Date }
  }
}

const maxFailuresInRow = 10

/** Lifetime in days of the cookie by which a known browser is recognised, as `resolve-request-context.ts` sets it. */
const cookieDays = 365

/**
 * Counts a failed login of a known browser before its password is compared, so that parallel calls share the ten tries. Returns false and
 * counts nothing when the tries are used up.
 */
export async function countBrowserLoginFailure(db: Db, deviceId: string): Promise<boolean> {
  const row = await db
    .insertInto('browser_failures')
    .values({ device_hash: hashToken(deviceId), failures: 1, failed_at: toDate(realNow()) })
    .onConflict((conflict) =>
      conflict
        .column('device_hash')
        .doUpdateSet((set) => ({
          failures: set('browser_failures.failures', '+', 1),
          failed_at: set.ref('excluded.failed_at'),
        }))
        .where('browser_failures.failures', '<', maxFailuresInRow),
    )
    .returning('failures')
    .executeTakeFirst()
  return row !== undefined
}

export async function uncountBrowserLoginFailure(db: Db, deviceId: string): Promise<void> {
  await db
    .updateTable('browser_failures')
    .set((set) => ({ failures: set('failures', '-', 1) }))
    .where('device_hash', '=', hashToken(deviceId))
    .where('failures', '>', 0)
    .execute()
}

export async function clearBrowserLoginFailures(db: Db, deviceId: string): Promise<void> {
  await db.deleteFrom('browser_failures').where('device_hash', '=', hashToken(deviceId)).execute()
}

export async function hasFailedTooOften(db: Db | Trx, deviceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('browser_failures')
    .select('failures')
    .where('device_hash', '=', hashToken(deviceId))
    .executeTakeFirst()
  return row !== undefined && row.failures >= maxFailuresInRow
}

/**
 * Removes the failed logins of a known browser a year after the last failure. By then the browser has deleted its cookie, although a copied
 * cookie never expires by itself.
 */
export async function purgeBrowserLoginFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('browser_failures')
    .where('failed_at', '<', toDate(realNow().subtract({ hours: 24 * cookieDays })))
    .execute()
}
