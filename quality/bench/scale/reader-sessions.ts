import { createSecrets, hashToken } from '#kit/server/secrets.ts'
import { buildCookieValue, generateSession } from '#kit/server/session.ts'
import type { Reader } from '../server/reads.ts'
import type { BenchConnection } from './bench-connection.ts'

export async function createReaderSessions(
  { ask }: BenchConnection,
  secretKey: string,
  count: number,
): Promise<Reader[]> {
  const secrets = createSecrets(secretKey)
  const found = await ask<{ user_id: string; uuid: string; order_code: string }>(
    `select user_id::text, id::text as uuid, order_code
    from services join (select id as order_id, order_code from orders) as bought using (order_id)
    order by md5(services.id::text) limit $1`,
    [count],
  )
  const readers: Reader[] = []
  for (const { user_id: userId, uuid, order_code: orderCode } of found) {
    const session = generateSession(secrets)
    await ask(
      `insert into sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at, authenticated_at)
      values (gen_random_uuid(), $1, $2::uuid, now(), now(), now() + interval '1 day', now())`,
      [hashToken(session.token), userId],
    )
    readers.push({
      cookie: `fantail=${buildCookieValue(secrets, session)}; csrftoken=${session.csrfToken}`,
      uuid,
      orderCode,
    })
  }
  return readers
}
