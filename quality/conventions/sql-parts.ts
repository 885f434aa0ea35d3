/** One statement on one line, without comments and in lower case except for quoted text. */
export function plain(statement: string): string {
  return pieces(statement)
    .map((piece) => (piece.startsWith("'") ? piece : piece.replace(/--.*$/gm, '').toLowerCase()))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The parts between commas that are in neither brackets nor quotes. */
export function clausesOf(text: string): string[] {
  const clauses = ['']
  let depth = 0
  for (const piece of pieces(text)) {
    for (const sign of piece.startsWith("'") ? [piece] : piece) {
      if (sign === '(') depth++
      if (sign === ')') depth--
      if (sign === ',' && depth === 0) clauses.push('')
      else clauses.push((clauses.pop() ?? '') + sign)
    }
  }
  return clauses.map((clause) => clause.trim()).filter(Boolean)
}

/** The values of a list such as `in ('a', 'b')`. */
export const wordsIn = (text: string): string[] => [...text.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word)

/** The quoted parts of a text, and the parts between them. */
const pieces = (text: string): string[] => text.split(/('(?:[^']|'')*')/)
