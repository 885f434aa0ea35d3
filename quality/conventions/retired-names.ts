/** A name or phrase that readers could not understand. It has been replaced and must not come back. */
export type RetiredName = { kind: 'identifier' | 'file' | 'phrase'; text: string }

/** Parses the list of retired names. Each line consists of a kind, a tab and the text. */
export const parseRetiredNames = (list: string): RetiredName[] =>
  list
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [kind, text = ''] = row.split('\t')
      return { kind: kind as RetiredName['kind'], text }
    })

/** Returns the retired names found in a source file, as `path: name`. Each name is reported only once. */
export function findRetiredNames(path: string, source: string, retired: readonly RetiredName[]): string[] {
  const words = new Set(source.match(/[A-Za-z_$][\w$]*/g))
  const isIn = ({ kind, text }: RetiredName): boolean => {
    if (kind === 'identifier') return words.has(text)
    return kind === 'file' ? path.split(/[/\\]/).at(-1) === text : source.includes(text)
  }
  return retired.filter(isIn).map(({ text }) => `${path}: ${text}`)
}
