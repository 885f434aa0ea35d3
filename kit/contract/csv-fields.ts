import { cleanCode } from './clean-text.ts'

/** Separators that spreadsheet programs write, depending on the file type and the country. */
const separators = [',', ';', '\t', '|'] as const

/** Returns the separator that a line such as `sep=;` names, or `null` for any other line. Excel reads such a line above the header. */
export const namedSeparator = (line: string): string | null => /^"?sep=(.)"?[,;\t|]*$/i.exec(line)?.[1] ?? null

/** Returns the first result of `read` for a header that is split at one of the usual separators, beginning with `named`. */
export function tryEachSeparator<T>(named: string | null, read: (separator: string) => T | null): T | null {
  for (const separator of named === null ? separators : [named, ...separators]) {
    const found = read(separator)
    if (found !== null) return found
  }
  return null
}

/** Removes the empty fields at the end of a header, which a spreadsheet program adds for empty columns. */
export const dropTrailingEmpty = (fields: string[]): string[] =>
  fields.slice(0, fields.findLastIndex((field) => field !== '') + 1)

/**
 * Returns a field's value as a spreadsheet program would show it: without quotation marks, the formula `="…"`, a leading apostrophe,
 * invisible characters and spaces at either end.
 */
export function cleanField(field: string): string {
  if (/^[\w+.-]*$/.test(field)) return field
  let value = cleanCode(field).trim()
  // A program that writes a formula as text puts it in quotation marks again, so there are up to two layers and an apostrophe.
  for (let layer = 0; layer < 3; layer++) value = unwrap(value)
  return value
}

const unwrap = (value: string): string =>
  value
    .replace(/^['‘’]/, '')
    .replace(/^=?"(.*)"$/s, (_all, inner: string) => inner.replaceAll('""', '"'))
    .trim()
