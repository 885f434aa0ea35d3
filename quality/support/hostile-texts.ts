/**
 * Generators for strings of a kind that has slowed down other software: combining marks that have to be reordered, and repetitions that
 * cause backtracking. Each string can be of any length.
 */
export const hostileTexts: Record<string, (length: number) => string> = {
  'combining marks': repeatPart('\u0301\u0316'),
  'marks of four classes': repeatPart('\u0345\u0301\u0316\u3099'),
  'characters that become eighteen': repeatPart('\ufdfa'),
  digits: repeatPart('4'),
  'digits apart': repeatPart('4 '),
  'groups of digits': repeatPart('4111 1111 '),
  'a plus and digits': (length) => `+${'4'.repeat(length - 1)}`,
  pluses: repeatPart('+4'),
  spaces: (length) => `a${' '.repeat(length - 2)}x`,
  'words and spaces': repeatPart('a '),
  letters: repeatPart('a'),
  'the beginnings of ids': repeatPart('12345678-'),
  'a long address': (length) => `${'a'.repeat(length - 11)}@example.nz`,
  'an address without an end': (length) => `a@${'a.'.repeat((length - 2) / 2)}`,
  'at signs': repeatPart('a@'),
  hyphens: repeatPart('-'),
  commas: repeatPart(', '),
  semicolons: repeatPart(';='),
  'percent signs': repeatPart('%41'),
  slashes: repeatPart('/'),
  quotes: repeatPart('\'"'),
}

function repeatPart(part: string): (length: number) => string {
  return (length) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
}

/**
 * Prepares a string for use in a header, a query or a path. Spaces and non-ASCII characters are percent-encoded, as in a browser, and the
 * string is cut to `length`.
 */
export const encodeAscii = (text: string, length: number): string =>
  text
    .replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))
    .slice(0, length)
    .replace(/%[\dA-F]?$/, '')
