import type { TemplateRow } from './copy-sql.ts'
import { type BenchConnection } from './bench-connection.ts'
import type { Column } from './schema.ts'

/**
 * Tables that need not be copied, because customers' reads do not use them: tables about browsers, tables about the demo, and permanent
 * records.
 */
const left = /^(?:sessions|activations|email_tokens|rate_limits|demo_\w+|audit_events|order_events)$/

export async function readCustomerRows(
  asking: BenchConnection,
  columns: readonly Column[],
  email: string,
): Promise<TemplateRow[]> {
  const tables = Map.groupBy(
    columns.filter(({ table }) => !left.test(table)),
    ({ table }) => table,
  )
  const [user] = await asking.ask<{ id: string }>('select id::text from users where email = $1', [email])
  if (!user) throw new Error(`nobody is ${email}`)
  const found = new Map<string, TemplateRow>()
  const names = new Set([user.id])
  for (let before = -1; before < found.size;) {
    before = found.size
    for (const [table, of] of tables)
      for (const values of await readReferencingRows(asking, table, of, [...names])) {
        found.set(JSON.stringify([table, values]), { table, values })
        for (const name of ['id', 'iccid']) if (values[name]) names.add(values[name])
      }
  }
  return [...found.values()]
}

async function readReferencingRows(
  { ask }: BenchConnection,
  table: string,
  columns: readonly Column[],
  names: string[],
): Promise<TemplateRow['values'][]> {
  const referencingColumns = columns.filter(({ type, column }) => type === 'uuid' || column === 'iccid')
  if (referencingColumns.length === 0) return []
  const list = columns.map(({ column }) => `"${column}"::text`).join(', ')
  const fits = referencingColumns.map(({ column }) => `"${column}"::text = any($1)`).join(' or ')
  return ask(`select ${list} from "${table}" where ${fits}`, [names])
}
