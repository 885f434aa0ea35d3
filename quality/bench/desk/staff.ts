import { hashToken, generateToken } from '#kit/server/secrets.ts'
import type { BenchConnection } from '../scale/bench-connection.ts'

export async function createStaffSessions({ ask }: BenchConnection, count: number): Promise<string[]> {
  const cookies: string[] = []
  for (let nth = 0; nth < count; nth++) {
    const token = generateToken()
    await ask(
      `with person as (
        insert into staff (id, email, name, roles, is_lead, made_at)
        values (gen_random_uuid(), $1, 'Bench', 'support,finance', false, now()) returning id
      )
      insert into staff_sessions (id, token_hash, staff_id, made_at, last_seen_at, expires_at, shown_at)
      select gen_random_uuid(), $2, id, now(), now(), now() + interval '8 hours', now() from person`,
      [`bench-${nth}@fantail.example`, hashToken(token)],
    )
    cookies.push(`desk=${token}`)
  }
  return cookies
}
