import type { PGlite } from '@electric-sql/pglite'

/**
 * Finds the embedded database's tables whose file was truncated or overwritten with zeros. PostgreSQL silently treats such a file as an
 * empty table, although its index and the rows that refer to it still exist. The check covers every foreign key, which takes milliseconds
 * in a database of this size.
 */
export async function findDamagedTables(pglite: PGlite): Promise<string[]> {
  const emptiedResult = await pglite.query<{ name: string }>(emptiedTablesQuery)
  const { rows: keys } = await pglite.query<{ parent: string; orphan: string }>(orphanCheckQuery)
  const damagedTables = new Set(emptiedResult.rows.map(({ name }) => name))
  for (const { parent, orphan } of keys)
    if (!damagedTables.has(parent) && (await pglite.query(orphan)).rows.length > 0) damagedTables.add(parent)
  return [...damagedTables].toSorted()
}

/**
 * Finds tables that are empty but used to have rows. The index of a table that never had rows is one page long. The first 24 bytes of a
 * page are its header, which is never all zeros once the page is in use.
 */
const emptiedTablesQuery = `
  select distinct c.relname::text as name
  from pg_class c join pg_index i on i.indrelid = c.oid join pg_class x on x.oid = i.indexrelid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and x.relam = (select oid from pg_am where amname = 'btree') and pg_relation_size(x.oid) > 8192
    and (pg_relation_size(c.oid) = 0
      or pg_read_binary_file(pg_relation_filepath(c.oid), 0, 24) = decode(repeat('00', 24), 'hex'))`

const orphanCheckQuery = `
  select k.confrelid::regclass::text as parent,
    format('select 1 from %s c left join %s p on (%s) where %s and p.tableoid is null limit 1', k.conrelid::regclass,
      k.confrelid::regclass,
      string_agg(format('c.%I = p.%I', child.attname, parent.attname), ' and '),
      string_agg(format('c.%I is not null', child.attname), ' and ')) as orphan
  from pg_constraint k
    cross join unnest(k.conkey, k.confkey) as pair(child_column, parent_column)
    join pg_attribute child on child.attrelid = k.conrelid and child.attnum = pair.child_column
    join pg_attribute parent on parent.attrelid = k.confrelid and parent.attnum = pair.parent_column
  where k.contype = 'f' and k.convalidated and pg_relation_size(k.conrelid) > 0
  group by k.oid, k.conrelid, k.confrelid`
