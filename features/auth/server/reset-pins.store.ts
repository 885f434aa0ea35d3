import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { hashToken } from '#kit/server/secrets.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    reset_pins: { token_hash: string; pin_hash: string; expires_at: Date }
  }
}

export async function saveResetPin(
  trx: Trx,
  token: string,
  pinHash: string,
  expiresAt: Temporal.Instant,
): Promise<void> {
  const pin = { pin_hash: pinHash, expires_at: toDate(expiresAt) }
  await trx
    .insertInto('reset_pins')
    .values({ token_hash: hashToken(token), ...pin })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(pin))
    .execute()
}

export async function findResetPin(trx: Trx, token: string, now: Temporal.Instant): Promise<string | null> {
  const row = await trx
    .selectFrom('reset_pins')
    .select('pin_hash')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', toDate(now))
    .executeTakeFirst()
  return row?.pin_hash ?? null
}
