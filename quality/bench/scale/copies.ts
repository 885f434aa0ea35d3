import type { Column } from './schema.ts'

export type TemplateRow = { table: string; values: Record<string, string | null> }

export type Copying = {
  columns: readonly Column[]
  zone: string
  /** The copies began on different days: each up to this many days before the original. */
  days: number
  otherwise: Readonly<Record<string, string>>
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The identifiers of the customer, each with the SQL text expression for its counterpart in the `n`th copy. */
export function namesIn(rows: readonly TemplateRow[], columns: readonly Column[]): Map<string, string> {
  const names = new Map<string, string>()
  let codes = 0
  for (const { table, values } of rows)
    for (const { column, type, alone } of columns.filter((each) => each.table === table)) {
      const value = values[column]
      if (!value || names.has(value)) continue
      const name = nameOf(column, value, { type, alone }, codes)
      if (column === 'order_code') codes += 1
      if (name) names.set(value, name)
    }
  return names
}

export const lineOfCopy = (n: number): { iccid: string; msisdn: string } => ({
  iccid: `8964${String(n).padStart(15, '0')}`,
  msisdn: `+6428${String(n).padStart(7, '0')}`,
})

function nameOf(
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
  if (column === 'id' && type === 'uuid') return `md5(${quoted(value)} || n)::uuid::text`
  // A random secret has no form of its own. Values made of other identifiers follow them.
  return alone && type === 'text' && /^[\w-]{20,}$/.test(value) ? `md5(${quoted(value)} || n)` : null
}

/** A statement that inserts copies of a row. `$1` and `$2` are the first and the last `n`. */
export function copyOf({ table, values }: TemplateRow, names: ReadonlyMap<string, string>, copying: Copying): string {
  const columns = copying.columns.filter((each) => each.table === table && !each.made)
  const list = columns.map(({ column }) => `"${column}"`).join(', ')
  const picked = columns.map((each) => valueOf(each, values[each.column] ?? null, names, copying)).join(', ')
  return `insert into "${table}" (${list}) select ${picked} from generate_series($1::int, $2::int) as copy (n)`
}

function valueOf(
  { table, column, type, alone }: Column,
  value: string | null,
  names: ReadonlyMap<string, string>,
  { zone, days, otherwise }: Copying,
): string {
  const other = otherwise[`${table}.${column}`]
  if (other !== undefined) return other
  if (value === null) return 'null'
  if (type.startsWith('timestamp'))
    return `(${quoted(value)}::timestamptz at time zone ${quoted(zone)} - make_interval(days => n % ${days})) at time zone ${quoted(zone)}`
  if (type === 'date') return `${quoted(value)}::date - n % ${days}`
  const text = textOf(value, names)
  if (text) return `(${text})::${type}`
  return alone && (type === 'text' || type === 'uuid')
    ? `md5(${quoted(value)} || n)::${type}`
    : `${quoted(value)}::${type}`
}

/** A text with the copy's identifiers in place of the customer's; null if it contains none. */
function textOf(value: string, names: ReadonlyMap<string, string>): string | null {
  const whole = names.get(value)
  if (whole) return whole
  const inside = [...names].filter(([name]) => value.includes(name))
  if (inside.length === 0) return null
  return inside.reduce((text, [name, copy]) => `replace(${text}, ${quoted(name)}, ${copy})`, quoted(value))
}
