import { sql } from 'kysely'
import type { World } from '#quality/support/world.ts'

/** Changes that a rejected request may make, each with the reason. If `columns` is missing, any column may change. */
const ignoredTables: readonly { table: string; columns?: string[]; why: string }[] = [
  { table: 'provider_minutes', why: 'the minutes of calls to providers are written later, whoever caused them' },
  { table: 'audit_events', why: 'tells of what is refused' },
  { table: 'sessions', columns: ['last_seen_at'], why: 'a session is seen whatever it asks for' },
  { table: 'pin_tries', why: 'counts wrong PINs' },
  { table: 'usage_readings', why: 'a copy of what the network said, made when a customer looks' },
  { table: 'browser_errors', why: 'what errors were told of' },
]
/** Tables that also count rejected requests. The test empties them before each attempt. */
const counterTables = ['rate_limits', 'refused_payments']

type RowChange = { table: string; row: string }

/** Adds database triggers that record every changed row outside the counter tables. Only tests use these triggers. */
export async function recordRowChanges({ db }: World): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    db,
  )
  await sql`create table seen_changes (name text not null, line text not null)`.execute(db)
  await sql
    .raw(`create function note_change() returns trigger language plpgsql as $$
    declare
      before jsonb;
      after jsonb;
    begin
      if tg_op <> 'INSERT' then before := to_jsonb(old) - coalesce(tg_argv::text[], '{}'); end if;
      if tg_op <> 'DELETE' then after := to_jsonb(new) - coalesce(tg_argv::text[], '{}'); end if;
      if before is distinct from after then
        insert into seen_changes values (tg_table_name, coalesce(after, before)::text);
      end if;
      return null;
    end $$`)
    .execute(db)
  for (const { name } of rows.filter((each) => !counterTables.includes(each.name))) {
    const columns = ignoredTables.find(({ table }) => table === name)?.columns ?? []
    await sql
      .raw(
        `create trigger seen after insert or update or delete on ${name} for each row execute function ` +
          `note_change(${columns.map((column) => `'${column}'`).join(', ')})`,
      )
      .execute(db)
  }
}

export async function takeRowChanges({ db }: World): Promise<RowChange[]> {
  const { rows } = await sql<{ name: string; line: string }>`
    with limits as (delete from rate_limits), payments as (delete from refused_payments),
      seen as (delete from seen_changes returning name, line)
    select name, line from seen`.execute(db)
  return rows.map(({ name, line }) => ({ table: name, row: line }))
}

export const findForbiddenChanges = (changes: readonly RowChange[]): RowChange[] =>
  changes.filter(({ table }) => !ignoredTables.some((exception) => exception.table === table && !exception.columns))

/** Reclaim the space of deleted counter rows, because the embedded database does not run autovacuum. */
export async function vacuumCounters({ db }: World): Promise<void> {
  for (const table of [...counterTables, 'seen_changes']) await sql.raw(`vacuum ${table}`).execute(db)
}
