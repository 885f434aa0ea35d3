import { realNow, toDate } from './clock.ts'
import type { Db, Trx } from './db.ts'
import { hashToken } from './secrets.ts'

declare module './db.ts' {
  interface Tables {
    browser_failures: { device_hash: string; failures: number; failed_at: Date }
  }
}

const maxConsecutiveFailures = 10

/** Lifetime in days of the cookie that identifies a known browser. `resolve-request-context.ts` sets the cookie. */
const deviceCookieDays = 365

/**
 * Counts a failed login from a known browser before the password is checked, so that parallel requests share the ten attempts. Returns
 * false, without counting, once the attempts are used up.
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
        .where('browser_failures.failures', '<', maxConsecutiveFailures),
    )
    .returning('failures')
    .executeTakeFirst()
  return row !== undefined
}

export async function undoBrowserLoginFailure(db: Db, deviceId: string): Promise<void> {
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
  return row !== undefined && row.failures >= maxConsecutiveFailures
}

/**
 * Deletes a known browser's failed logins a year after the last one. By then the browser has deleted its cookie, so only a stolen copy
 * could still be in use.
 */
export async function purgeBrowserLoginFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('browser_failures')
    .where('failed_at', '<', toDate(realNow().subtract({ hours: 24 * deviceCookieDays })))
    .execute()
}
