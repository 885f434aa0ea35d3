import type { History } from '../history.contract.ts'

type HistoryFile = { filename: string; contentType: string; content: string }

/** The history of a number as a file to keep: for a spreadsheet, or for a program. */
export function historyFileOf(history: History, format: 'csv' | 'json'): HistoryFile {
  const filename = `history-${history.phone_number.replaceAll(/\D/g, '')}.${format}`
  return format === 'csv'
    ? { filename, contentType: 'text/csv; charset=utf-8', content: csvOf(history) }
    : { filename, contentType: 'application/json; charset=utf-8', content: `${JSON.stringify(history, null, 2)}\n` }
}

const header = ['kind', 'starts_on', 'last_day', 'plan', 'data_gb', 'used_mb', 'ran_out_on', 'spent']

/** RFC 4180: a row for each cycle, then one for each month. */
function csvOf({ cycles, months }: History): string {
  const rows = [
    header,
    ...cycles.map((cycle) => [
      'cycle',
      cycle.starts_on,
      cycle.last_day,
      cycle.plan,
      String(cycle.data_gb),
      cycle.used_mb === null ? '' : String(cycle.used_mb),
      cycle.ran_out_on ?? '',
      '',
    ]),
    ...months.map(({ month, spent }) => {
      const first = Temporal.PlainYearMonth.from(month)
      return [
        'month',
        first.toPlainDate({ day: 1 }).toString(),
        first.toPlainDate({ day: first.daysInMonth }).toString(),
        '',
        '',
        '',
        '',
        spent,
      ]
    }),
  ]
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

/** A title that a spreadsheet would take for a formula is text. */
function field(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
