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
type Part = { drop: string; make: string; kind: 'reference' | 'key' }

/**
 * Takes away what costs time for each row that is put in: references, keys and indexes. The answer puts all back at once, which takes a
 * part of the time and checks it as well.
 */
export async function withoutChecks({ ask }: Asking): Promise<() => Promise<void>> {
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
