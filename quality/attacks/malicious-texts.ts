import { hostileTexts } from '#quality/support/hostile-texts.ts'

/** A word found in every malicious string that a response could repeat. Fantail's own text never contains it. */
export const mark = 'xattackedx'
export const cardNumber = '4111 1111 1111 1111'
export const typedPassword = `Kea-${mark}-9`

export const markup = `"><script>${mark}()</script><img src=x onerror=${mark}()>`

export const wrongTypeValues: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a boolean', true],
  ['a number', 7],
  ['less than nothing', -1],
  ['more than there is', 1e308],
  ['an empty list', []],
  ['a list of texts', [mark]],
  ['an empty object', {}],
  ['an object', { [mark]: { a: 1 } }],
  ['lists in lists', JSON.parse(`${'['.repeat(10)}1${']'.repeat(10)}`)],
]

export const shortTexts: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['markup', markup],
  ['SQL', `' or '1'='1'; drop table users; -- ${mark}`],
  ['the prototype', '__proto__'],
  ['the constructor', 'constructor'],
  ['line ends', `a\r\nset-cookie: ${mark}=1\r\n\r\n`],
  ['another direction', `\u202e${mark}\u2066\u200f`],
  ['what cannot be seen', `a\u200b\u2060\ufeff${mark}`],
  ['NUL', `a\0${mark}`],
  ['half a character', `a\ud800${mark}`],
  ['marks', 'a\u0301\u0316'.repeat(150)],
  ['digits apart', '4 '.repeat(240)],
  ['spaces', `a${' '.repeat(480)}x`],
  ['a card number', cardNumber],
  ['a path', '../../../../etc/passwd'],
  ['an address elsewhere', `//evil.example/${mark}`],
  ['a template', `\${7*7}{{7*7}}${mark}`],
]

/** Strings longer than any field accepts, by kind. `bytes` is the approximate size of the request body. */
export const createLongTexts = (bytes: number): (readonly [string, string])[] =>
  Object.entries(hostileTexts).map(([kind, text]) => [kind, truncateToBytes(text(bytes), bytes)] as const)

function truncateToBytes(text: string, bytes: number): string {
  const most = Math.floor((bytes * text.length) / Buffer.byteLength(text))
  return text.slice(0, most)
}

/** Returns a different slice of a list for each `turn`. Given enough turns, the slices cover the whole list. */
export const takeRotatingSlice = <T>(list: readonly T[], turn: number, count: number): T[] =>
  Array.from({ length: Math.min(count, list.length) }, (_, at) => list[(turn * count + at) % list.length] as T)
