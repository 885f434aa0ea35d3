import type { BenchConnection } from './bench-connection.ts'

export type Column = {
  table: string
  column: string
  type: string
  /** Whether the database generates the column's values. */
  made: boolean
  /** Whether the column's values are unique. */
  alone: boolean
}

export const columnsOf = ({ ask }: BenchConnection): Promise<Column[]> =>
  ask<Column>(`
    select class.relname as "table", attribute.attname as "column", format_type(atttypid, atttypmod) as type,
      attidentity <> '' or attgenerated <> '' as made,
      exists (
        select from pg_index where indrelid = class.oid and indisunique and indnkeyatts = 1 and indkey[0] = attnum
      ) as alone
    from pg_attribute attribute join pg_class class on class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    order by class.relname, attnum`)

/** A constraint or index that makes inserts slower. `drop` removes it and `make` creates it again. */
type Part = { drop: string; make: string; kind: 'reference' | 'key' }

/**
 * Drops foreign keys, unique keys and indexes, which make inserts slower. The returned function restores all of them at once, which is
 * faster than checking each inserted row and still validates all rows.
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
