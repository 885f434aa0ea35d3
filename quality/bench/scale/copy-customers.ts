import { type BenchConnection } from './bench-connection.ts'
import { type CopyOptions, buildCopyStatement, mapIdentifiersToSql, quoteSql, type TemplateRow } from './copy-sql.ts'
import { listColumns, dropConstraints } from './schema.ts'
import { readCustomerRows } from './template.ts'

export type CopyResult = {
  rows: Record<string, number>
  seconds: number
}

const batchSize = 50_000

/**
 * Adds `count` customers by copying the given ones with all their data, as if each copy had been active over the last `days` days. The
 * copies exist only in the database; the network and the gateway don't know about them.
 */
export async function copyCustomers(
  asking: BenchConnection,
  emails: readonly string[],
  { count, days, zone }: Pick<CopyOptions, 'days' | 'zone'> & { count: number },
): Promise<CopyResult> {
  const began = performance.now()
  const columns = await listColumns(asking)
  const templates: TemplateRow[][] = []
  for (const email of emails) templates.push(await readCustomerRows(asking, columns, email))
  const restoreConstraints = await dropConstraints(asking)
  const rows: CopyResult['rows'] = {}
  for (const [nth, template] of templates.entries()) {
    const names = mapIdentifiersToSql(template, columns)
    const [first, last] = [part(count, nth, emails.length), part(count, nth + 1, emails.length) - 1]
    const copyOptions = { columns, days, zone, otherwise: getColumnOverrides(template) }
    for (const row of template) {
      const statement = buildCopyStatement(row, names, copyOptions)
      for (let from = first; from <= last; from += batchSize)
        await asking.ask(statement, [from, Math.min(last, from + batchSize - 1)])
      rows[row.table] = (rows[row.table] ?? 0) + last - first + 1
    }
  }
  await restoreConstraints()
  return { rows, seconds: (performance.now() - began) / 1_000 }
}

/** The index of the first copy in part `nth` when the copies are split into `of` equal parts. Copies are numbered from 1. */
const part = (count: number, nth: number, of: number): number => 1 + Math.floor((count * nth) / of)

function getColumnOverrides(
  template: readonly { table: string; values: Record<string, string | null> }[],
): Record<string, string> {
  const card = template.find(({ table }) => table === 'saved_cards')?.values
  const cardOwner = card?.['shopper_reference'] ?? card?.['user_id']
  return {
    'orders.session_id': 'null',
    'usage_watch.due_at': 'null',
    ...(cardOwner && { 'saved_cards.shopper_reference': quoteSql(cardOwner) }),
  }
}
