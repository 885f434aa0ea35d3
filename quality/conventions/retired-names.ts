/** A name or phrase that readers could not understand. It was replaced and must not come back. */
export type RetiredName = { kind: 'identifier' | 'file' | 'phrase'; text: string }

/** Reads a list whose rows are a kind, a tab and the text. */
export const retiredNamesIn = (list: string): RetiredName[] =>
  list
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [kind, text = ''] = row.split('\t')
      return { kind: kind as RetiredName['kind'], text }
    })

/** The retired names in a source file: `path: name`, each once. */
export function retiredIn(path: string, source: string, retired: readonly RetiredName[]): string[] {
  const words = new Set(source.match(/[A-Za-z_$][\w$]*/g))
  const isIn = ({ kind, text }: RetiredName): boolean => {
    if (kind === 'identifier') return words.has(text)
    return kind === 'file' ? path.split(/[/\\]/).at(-1) === text : source.includes(text)
  }
  return retired.filter(isIn).map(({ text }) => `${path}: ${text}`)
}
