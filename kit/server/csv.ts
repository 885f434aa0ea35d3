/** A row of a CSV file, with its end (RFC 4180). */
export const csvLine = (fields: readonly string[]): string => `${fields.map(csvField).join()}\r\n`

/** Quoted, and with what a spreadsheet would take for a formula made a text; a number's plus stays one. */
function csvField(text: string): string {
  const isFormula = /^[=@\t\r-]/.test(text) || (text.startsWith('+') && !/^\+[\d ]+$/.test(text))
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`
}
