import { Readable } from 'node:stream'

/** Excel reads a CSV file as UTF-8 only if it starts with a byte order mark. */
const byteOrderMark = '\uFEFF'

/** Returns the content of a CSV file for people, from its lines as they are read. Files that only programs read need no byte order mark. */
export const createCsvContent = (lines: AsyncIterable<string>): Readable => Readable.from(withByteOrderMark(lines))

async function* withByteOrderMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield byteOrderMark
  yield* lines
}

/** Formats a CSV row, including its line ending (RFC 4180). */
export const csvLine = (fields: readonly string[]): string => `${fields.map(csvField).join()}\r\n`

/** Quotes a CSV field, prefixing text that a spreadsheet would treat as a formula. A phone number's plus sign is left as it is. */
function csvField(text: string): string {
  const isFormula = /^[=@\t\r-]/.test(text) || (text.startsWith('+') && !/^\+[\d ]+$/.test(text))
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`
}
