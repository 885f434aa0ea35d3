import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

/** Runs an action whose messages then stay in the outbox, because they never fall due. */
export async function withHeldMessages<T>(db: Db, act: () => Promise<T>): Promise<T> {
  await sql`
    create function hold_message() returns trigger language plpgsql as
    $$ begin new.retry_at := null; return new; end $$`.execute(db)
  await sql`create trigger held before insert on messages for each row execute function hold_message()`.execute(db)
  try {
    return await act()
  } finally {
    await sql`drop trigger held on messages`.execute(db)
    await sql`drop function hold_message`.execute(db)
  }
}
