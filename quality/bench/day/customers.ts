import { createSecrets, hashToken } from '#kit/server/secrets.ts'
import { buildCookieValue, generateSession } from '#kit/server/session.ts'
import { buildAddress } from '../world/addresses.ts'
import type { BenchConnection } from '../scale/bench-connection.ts'

export type DayCustomer = {
  email: string
  uuid: string
  shortId: string
  orderCode: string
  token: string
  csrfToken: string
  /** Each customer has a separate IP address, because requests are limited per address. */
  ip: string
}

const batchSize = 1_000

export async function createSessionsForCopies(
  { ask }: BenchConnection,
  secretKey: string,
  copies: readonly number[],
): Promise<DayCustomer[]> {
  const secrets = createSecrets(secretKey)
  const customers: DayCustomer[] = []
  for (let from = 0; from < copies.length; from += batchSize) {
    const emails = copies.slice(from, from + batchSize).map((n) => `c${n}@bench.example`)
    const found = await ask<{ user_id: string; email: string; uuid: string; short_id: string; order_code: string }>(
      `select users.id::text as user_id, users.email, services.id::text as uuid, short_id, order_code
      from users join services on services.user_id = users.id join schedules on schedules.service_id = services.id
        join orders on orders.id = services.order_id
      where users.email = any($1)`,
      [emails],
    )
    const sessions = found.map(() => generateSession(secrets))
    await ask(
      `insert into sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at, authenticated_at)
      select gen_random_uuid(), token_hash, user_id, now(), now(), now() + interval '14 days', now()
      from unnest($1::text[], $2::uuid[]) as browser (token_hash, user_id)`,
      [sessions.map(({ token }) => hashToken(token)), found.map((each) => each.user_id)],
    )
    for (const [at, each] of found.entries()) {
      const session = sessions[at]
      if (!session) continue
      const { email, uuid, short_id: shortId, order_code: orderCode } = each
      customers.push({
        email,
        uuid,
        shortId,
        orderCode,
        token: buildCookieValue(secrets, session),
        csrfToken: session.csrfToken,
        ip: buildAddress('100.96', customers.length),
      })
    }
  }
  if (customers.length < copies.length)
    throw new Error(`only ${customers.length} of ${copies.length} customers were signed in`)
  return customers
}
