/** Formats a CSV row, including its line ending (RFC 4180). */
export const csvLine = (fields: readonly string[]): string => `${fields.map(csvField).join()}\r\n`

/** Quotes a CSV field, prefixing text that a spreadsheet would treat as a formula. A phone number's plus sign is left as it is. */
function csvField(text: string): string {
  const isFormula = /^[=@\t\r-]/.test(text) || (text.startsWith('+') && !/^\+[\d ]+$/.test(text))
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`
}
