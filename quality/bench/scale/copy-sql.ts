import type { Column } from './schema.ts'

export type TemplateRow = { table: string; values: Record<string, string | null> }

export type CopyOptions = {
  columns: readonly Column[]
  zone: string
  /** The number of days over which the copies' dates are spread. The original has the latest dates. */
  days: number
  otherwise: Readonly<Record<string, string>>
}

export const quoteSql = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Maps each of the customer's identifiers to an SQL expression for the matching text in the `n`th copy. */
export function mapIdentifiersToSql(rows: readonly TemplateRow[], columns: readonly Column[]): Map<string, string> {
  const names = new Map<string, string>()
  let codes = 0
  for (const { table, values } of rows)
    for (const { column, type, alone } of columns.filter((each) => each.table === table)) {
      const value = values[column]
      if (!value || names.has(value)) continue
      const name = buildCopiedName(column, value, { type, alone }, codes)
      if (column === 'order_code') codes += 1
      if (name) names.set(value, name)
    }
  return names
}

export const createCopiedSim = (n: number): { iccid: string; msisdn: string } => ({
  iccid: `8964${String(n).padStart(15, '0')}`,
  msisdn: `+6428${String(n).padStart(7, '0')}`,
})

function buildCopiedName(
  column: string,
  value: string,
  { type, alone }: Pick<Column, 'type' | 'alone'>,
  nth: number,
): string | null {
  if (column === 'msisdn') return `'+6428' || lpad(n::text, 7, '0')`
  if (column === 'iccid') return `'8964' || lpad(n::text, 15, '0')`
  if (column === 'email') return `'c' || n || '@bench.example'`
  if (column === 'order_code') return `'B${nth}' || lpad(n::text, 8, '0')`
  if (column === 'short_id') return `'B' || n`
  if (column === 'id' && type === 'uuid') return `md5(${quoteSql(value)} || n)::uuid::text`
  // Replace unique random text, such as a secret, with a hash. If a value contains other identifiers, only those are replaced.
  return alone && type === 'text' && /^[\w-]{20,}$/.test(value) ? `md5(${quoteSql(value)} || n)` : null
}

/** Returns a statement that inserts copies of a row. `$1` and `$2` are the first and last values of `n`. */
export function buildCopyStatement(
  { table, values }: TemplateRow,
  names: ReadonlyMap<string, string>,
  copying: CopyOptions,
): string {
  const columns = copying.columns.filter((each) => each.table === table && !each.made)
  const list = columns.map(({ column }) => `"${column}"`).join(', ')
  const columnValues = columns
    .map((each) => buildCopiedValue(each, values[each.column] ?? null, names, copying))
    .join(', ')
  return `insert into "${table}" (${list}) select ${columnValues} from generate_series($1::int, $2::int) as copy (n)`
}

function buildCopiedValue(
  { table, column, type, alone }: Column,
  value: string | null,
  names: ReadonlyMap<string, string>,
  { zone, days, otherwise }: CopyOptions,
): string {
  const other = otherwise[`${table}.${column}`]
  if (other !== undefined) return other
  if (value === null) return 'null'
  if (type.startsWith('timestamp'))
    return (
      `(${quoteSql(value)}::timestamptz at time zone ${quoteSql(zone)} - ` +
      `make_interval(days => n % ${days})) at time zone ${quoteSql(zone)}`
    )
  if (type === 'date') return `${quoteSql(value)}::date - n % ${days}`
  const text = buildCopiedText(value, names)
  if (text) return `(${text})::${type}`
  return alone && (type === 'text' || type === 'uuid')
    ? `md5(${quoteSql(value)} || n)::${type}`
    : `${quoteSql(value)}::${type}`
}

/**
 * Returns SQL for a string in which the customer's identifiers have been replaced with the copy's; null if the text contains none of them.
 */
function buildCopiedText(value: string, names: ReadonlyMap<string, string>): string | null {
  const whole = names.get(value)
  if (whole) return whole
  const containedNames = [...names].filter(([name]) => value.includes(name))
  if (containedNames.length === 0) return null
  return containedNames.reduce((text, [name, copy]) => `replace(${text}, ${quoteSql(name)}, ${copy})`, quoteSql(value))
}
