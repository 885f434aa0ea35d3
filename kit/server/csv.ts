/** Formats a CSV row with its line ending (RFC 4180). */
export const csvLine = (fields: readonly string[]): string => `${fields.map(csvField).join()}\r\n`

/** Quotes a CSV field, and prefixes text that a spreadsheet would take for a formula. The plus of a phone number stays as it is. */
function csvField(text: string): string {
  const isFormula = /^[=@\t\r-]/.test(text) || (text.startsWith('+') && !/^\+[\d ]+$/.test(text))
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`
}
