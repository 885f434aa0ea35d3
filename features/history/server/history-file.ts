import { Readable } from 'node:stream'
import type { History } from '../history.contract.ts'

type HistoryFile = { filename: string; contentType: string; content: Readable }
type Cycle = History['cycles'][number]

export function historyFileOf(history: History, cycles: AsyncIterable<Cycle[]>, format: 'csv' | 'json'): HistoryFile {
  const filename = `history-${history.phone_number.replaceAll(/\D/g, '')}.${format}`
  return format === 'csv'
    ? { filename, contentType: 'text/csv; charset=utf-8', content: Readable.from(csvOf(history, cycles)) }
    : { filename, contentType: 'application/json; charset=utf-8', content: Readable.from(jsonOf(history, cycles)) }
}

const header = ['kind', 'starts_on', 'last_day', 'plan', 'data_gb', 'used_mb', 'ran_out_on', 'spent']

/** RFC 4180: one row for each cycle, then one for each month. */
async function* csvOf({ months }: History, cycles: AsyncIterable<Cycle[]>): AsyncGenerator<string> {
  yield lineOf(header)
  for await (const page of cycles) yield page.map((cycle) => lineOf(cellsOf(cycle))).join('')
  for (const { month, spent } of months) {
    const first = Temporal.PlainYearMonth.from(month)
    const days = [first.toPlainDate({ day: 1 }).toString(), first.toPlainDate({ day: first.daysInMonth }).toString()]
    yield lineOf(['month', ...days, '', '', '', '', spent])
  }
}

const cellsOf = (cycle: Cycle): string[] => [
  'cycle',
  cycle.starts_on,
  cycle.last_day,
  cycle.plan,
  String(cycle.data_gb),
  cycle.used_mb === null ? '' : String(cycle.used_mb),
  cycle.ran_out_on ?? '',
  '',
]

const lineOf = (cells: readonly string[]): string => `${cells.map(field).join(',')}\r\n`

async function* jsonOf({ cycles: _, ...history }: History, cycles: AsyncIterable<Cycle[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(history, null, 2).slice(0, -2)},\n  "cycles": [`
  let separator = '\n    '
  for await (const page of cycles)
    for (const cycle of page) {
      yield separator + JSON.stringify(cycle)
      separator = ',\n    '
    }
  yield '\n  ]\n}\n'
}

/** A title that a spreadsheet would interpret as a formula is escaped. */
function field(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
