import { Readable } from 'node:stream'
import { createCsvContent } from '#kit/server/csv.ts'
import type { History } from '../history.contract.ts'

type HistoryFile = { filename: string; contentType: string; content: Readable }
type Cycle = History['cycles'][number]

export function createHistoryFile(
  history: History,
  cycles: AsyncIterable<Cycle[]>,
  format: 'csv' | 'json',
): HistoryFile {
  const filename = `history-${history.phone_number.replaceAll(/\D/g, '')}.${format}`
  return format === 'csv'
    ? { filename, contentType: 'text/csv; charset=utf-8', content: createCsvContent(csvLines(history, cycles)) }
    : { filename, contentType: 'application/json; charset=utf-8', content: Readable.from(jsonChunks(history, cycles)) }
}

const csvHeader = ['kind', 'starts_on', 'last_day', 'plan', 'data_gb', 'used_mb', 'ran_out_on', 'spent']

/** Writes the history as CSV (RFC 4180): one row for each cycle, followed by one row for each month. */
async function* csvLines({ months }: History, cycles: AsyncIterable<Cycle[]>): AsyncGenerator<string> {
  yield csvLine(csvHeader)
  for await (const page of cycles) yield page.map((cycle) => csvLine(cycleCells(cycle))).join('')
  for (const { month, spent } of months) {
    const firstMonth = Temporal.PlainYearMonth.from(month)
    const monthRange = [
      firstMonth.toPlainDate({ day: 1 }).toString(),
      firstMonth.toPlainDate({ day: firstMonth.daysInMonth }).toString(),
    ]
    yield csvLine(['month', ...monthRange, '', '', '', '', spent])
  }
}

const cycleCells = (cycle: Cycle): string[] => [
  'cycle',
  cycle.starts_on,
  cycle.last_day,
  cycle.plan,
  String(cycle.data_gb),
  cycle.used_mb === null ? '' : String(cycle.used_mb),
  cycle.ran_out_on ?? '',
  '',
]

const csvLine = (cells: readonly string[]): string => `${cells.map(csvField).join(',')}\r\n`

async function* jsonChunks({ cycles: _, ...history }: History, cycles: AsyncIterable<Cycle[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(history, null, 2).slice(0, -2)},\n  "cycles": [`
  let separator = '\n    '
  for await (const page of cycles)
    for (const cycle of page) {
      yield separator + JSON.stringify(cycle)
      separator = ',\n    '
    }
  yield '\n  ]\n}\n'
}

/** Formats a CSV field and escapes text that a spreadsheet would interpret as a formula. */
function csvField(text: string): string {
  const escapedText = /^[=+@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(escapedText) ? `"${escapedText.replaceAll('"', '""')}"` : escapedText
}
