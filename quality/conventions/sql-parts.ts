export function plain(statement: string): string {
  return splitLiterals(statement)
    .map((piece) => (piece.startsWith("'") ? piece : piece.replace(/--.*$/gm, '').toLowerCase()))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

export function splitClauses(text: string): string[] {
  const clauses = ['']
  let depth = 0
  for (const piece of splitLiterals(text)) {
    for (const sign of piece.startsWith("'") ? [piece] : piece) {
      if (sign === '(') depth++
      if (sign === ')') depth--
      if (sign === ',' && depth === 0) clauses.push('')
      else clauses.push((clauses.pop() ?? '') + sign)
    }
  }
  return clauses.map((clause) => clause.trim()).filter(Boolean)
}

export const extractLiterals = (text: string): string[] =>
  [...text.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word)

const splitLiterals = (text: string): string[] => text.split(/('(?:[^']|'')*')/)
