export type SpecifiedLabel = { section: string; text: string }

/**
 * Parses the list of specified labels. Each line consists of a section, a tab and a label. A label may end with a space if the screen shows
 * a date or number after it.
 */
export const parseSpecifiedLabels = (list: string): SpecifiedLabel[] =>
  list
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [section = '', text = ''] = row.split('\t')
      return { section, text }
    })

/** Normalises apostrophes and white space, so that a source file can be compared with the specification. */
export const plain = (text: string): string => text.replaceAll('\\', '').replaceAll('’', "'").replaceAll(/\s+/g, ' ')

const glossary: readonly [RegExp, string][] = [
  [/\b[Ss]ign(?:ed|s|ing)?[ -]in\b/, 'log in'],
  [/\b[Ss]ign(?:ed|s|ing)?[ -]out\b/, 'log out'],
  [/\b(?:[Aa]dd-on|[Aa]dd[Oo]n|[Aa]dd on)s?\b/, 'Add-On'],
  [/\b[Aa]uto ?[Rr]enew/, 'auto-renewal'],
  [/\b(?:Sim|sim) (?:card|pack|number)\b|\bSims?\b/, 'SIM'],
  [/\b[Ee]-mails?\b/, 'email'],
  [/\b(?:mobile|telephone) number\b/, 'phone number'],
]

export function extractShownTexts(source: string): string[] {
  const code = source
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*|import )/.test(line))
    .join('\n')
  const strings = [...code.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])*?[A-Za-z] (?:\\.|(?!\1)[^\\\n])*?)\1/g)].map(
    ([, , text = '']) => text,
  )
  const elements = [...code.matchAll(/>\s*([A-Z][^<>{}=;]*?)\s*(?=<|\{)/g)].map(([, text = '']) => text)
  return [...strings, ...elements.filter((text) => text.includes(' '))]
}

/**
 * Returns the words in a text for which the glossary prefers a different word, such as `Sign in: write log in`. Specified labels are left
 * alone.
 */
export function findMisspelledLabels(text: string, labels: readonly SpecifiedLabel[]): string[] {
  const plainText = plain(text).replaceAll(/\$\{[^}]*\}/g, '')
  const rest = labels.reduce((left, label) => left.replaceAll(label.text, ''), plainText)
  return glossary.flatMap(([pattern, word]) => {
    const found = pattern.exec(rest)
    return found ? [`${found[0]}: write ${word}`] : []
  })
}
