import type { BenchConnection } from './bench-connection.ts'

export type Column = {
  table: string
  column: string
  type: string
  /** Whether the database generates the values in this column. */
  made: boolean
  /** Whether the values in this column are unique. */
  alone: boolean
}

export const listColumns = ({ ask }: BenchConnection): Promise<Column[]> =>
  ask<Column>(`
    select class.relname as "table", attribute.attname as "column", format_type(atttypid, atttypmod) as type,
      attidentity <> '' or attgenerated <> '' as made,
      exists (
        select from pg_index where indrelid = class.oid and indisunique and indnkeyatts = 1 and indkey[0] = attnum
      ) as alone
    from pg_attribute attribute join pg_class class on class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    order by class.relname, attnum`)

/** A constraint or index that slows down inserts. `drop` is the SQL that removes it, and `make` the SQL that creates it again. */
type Part = { drop: string; make: string; kind: 'reference' | 'key' }

/**
 * Drops the foreign keys, unique keys and indexes that slow down inserts. The returned function restores all of them at once, which still
 * validates every row and is faster than checking each row as it is inserted.
 */
export async function dropConstraints({ ask }: BenchConnection): Promise<() => Promise<void>> {
  const constraints = await ask<Part>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
      case contype when 'f' then 'reference' else 'key' end as kind
    from pg_constraint where contype in ('f', 'p', 'u') and connamespace = 'public'::regnamespace`)
  const references = constraints.filter(({ kind }) => kind === 'reference')
  const keys = constraints.filter(({ kind }) => kind === 'key')
  const indexes = await ask<Omit<Part, 'kind'>>(`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)`)
  for (const { drop } of [...references, ...keys, ...indexes]) await ask(drop)
  return async () => {
    for (const { make } of [...keys, ...indexes, ...references]) await ask(make)
    await ask('analyze')
  }
}
