export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows]
  const columnWidths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all.map((row) =>
    columnWidths
      .map((width, at) => (at === 0 ? (row[at] ?? '').padEnd(width) : (row[at] ?? '').padStart(width)))
      .join('  ')
      .trimEnd(),
  )
}

/** Formats a number with a sensible number of digits, such as `'0.8'`, `'12'` or `'9,740'`. */
export function formatFigure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-NZ')
  return value.toFixed(value >= 10 ? 0 : value >= 1 ? 1 : 2)
}

export const formatRatio = (value: number | null | undefined, to: number | null | undefined): string =>
  typeof value !== 'number' || !to ? '–' : `${(value / to).toFixed(2)} ×`
