import { type Asking } from './ask.ts'
import { type Copying, copyOf, namesIn, quoted, type TemplateRow } from './copies.ts'
import { columnsOf, withoutChecks } from './schema.ts'
import { rowsOf } from './template.ts'

export type Multiplied = {
  rows: Record<string, number>
  seconds: number
}

const atOnce = 50_000

/**
 * Copies customers with all their data, in turns, until there are `count` more, as if each had done everything over the last `days` days.
 * Nothing leaves the database: the network and the gateway do not know the copies.
 */
export async function multiply(
  asking: Asking,
  emails: readonly string[],
  { count, days, zone }: Pick<Copying, 'days' | 'zone'> & { count: number },
): Promise<Multiplied> {
  const began = performance.now()
  const columns = await columnsOf(asking)
  const templates: TemplateRow[][] = []
  for (const email of emails) templates.push(await rowsOf(asking, columns, email))
  const putBack = await withoutChecks(asking)
  const rows: Multiplied['rows'] = {}
  for (const [nth, template] of templates.entries()) {
    const names = namesIn(template, columns)
    const [first, last] = [part(count, nth, emails.length), part(count, nth + 1, emails.length) - 1]
    const copying = { columns, days, zone, otherwise: otherwiseOf(template) }
    for (const row of template) {
      const statement = copyOf(row, names, copying)
      for (let from = first; from <= last; from += atOnce)
        await asking.ask(statement, [from, Math.min(last, from + atOnce - 1)])
      rows[row.table] = (rows[row.table] ?? 0) + last - first + 1
    }
  }
  await putBack()
  return { rows, seconds: (performance.now() - began) / 1_000 }
}

/** The first copy of the `nth` part. Copies are counted from 1. */
const part = (count: number, nth: number, of: number): number => 1 + Math.floor((count * nth) / of)

function otherwiseOf(
  template: readonly { table: string; values: Record<string, string | null> }[],
): Record<string, string> {
  const card = template.find(({ table }) => table === 'saved_cards')?.values
  const holder = card?.['shopper_reference'] ?? card?.['user_id']
  return {
    'orders.session_id': 'null',
    'usage_watch.due_at': 'null',
    ...(holder && { 'saved_cards.shopper_reference': quoted(holder) }),
  }
}
