/** Reads one of a message's headers, joining folded lines. Returns `null` if the header is missing. Encoded words are not decoded. */
export function findHeader(source: string, name: string): string | null {
  const end = source.indexOf('\r\n\r\n')
  const lines = (end < 0 ? source : source.slice(0, end)).split('\r\n')
  const first = lines.findIndex((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  if (first < 0) return null
  const after = lines.slice(first + 1)
  const foldedLineCount = after.findIndex((line) => !/^[ \t]/.test(line))
  const value = [
    lines[first]!.slice(name.length + 1),
    ...after.slice(0, foldedLineCount < 0 ? undefined : foldedLineCount),
  ]
  return value.map((line) => line.trim()).join(' ')
}
