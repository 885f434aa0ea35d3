import type { Asking } from './ask.ts'

export type Column = {
  table: string
  column: string
  type: string
  /** The database makes it. */
  made: boolean
  /** No two rows have the same. */
  alone: boolean
}

/** The columns of all tables, in their order. */
export const columnsOf = ({ ask }: Asking): Promise<Column[]> =>
  ask<Column>(`
    select class.relname as "table", attribute.attname as "column", format_type(atttypid, atttypmod) as type,
      attidentity <> '' or attgenerated <> '' as made,
      exists (
        select from pg_index where indrelid = class.oid and indisunique and indnkeyatts = 1 and indkey[0] = attnum
      ) as alone
    from pg_attribute attribute join pg_class class on class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    order by class.relname, attnum`)

/** What would be checked, or sorted in, for each row; `make` makes it anew. */
type Part = { drop: string; make: string }

/**
 * Takes away what costs time for each row that is put in: references, and indexes that hold no rule. The answer puts all back, which
 * checks it.
 */
export async function withoutChecks({ ask }: Asking): Promise<() => Promise<void>> {
  const references = await ask<Part>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  const indexes = await ask<Part>(`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not indisunique`)
  for (const { drop } of [...references, ...indexes]) await ask(drop)
  return async () => {
    for (const { make } of [...indexes, ...references]) await ask(make)
    await ask('analyze')
  }
}
