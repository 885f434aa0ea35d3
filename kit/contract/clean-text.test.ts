import { expect, test } from 'vitest'
import { cleanCode, cleanText, countCharacters } from './clean-text.ts'

const invisible = [
  ...'\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff',
]

test.each(invisible)('removes the invisible character %j wherever it stands in a name or a code', (character) => {
  for (const text of [`${character}Ana Rewi`, `Ana${character} Rewi`, `A${character}na Rewi`, `Ana Rewi${character}`]) {
    expect(cleanText(text)).toBe('Ana Rewi')
    expect(cleanCode(text)).toBe('Ana Rewi')
  }
})

test.each([
  ['\u202dAna Rewi\u202c', 'Ana Rewi'],
  ['Anne\u00adMarie Rewi', 'AnneMarie Rewi'],
  ['Ana\tRewi', 'Ana Rewi'],
  ['Nga\u0304io', 'Ng\u0101io'],
  ['Ana\u200d\u200d\u200d Rewi', 'Ana Rewi'],
])('cleans the name %j', (typed, name) => expect(cleanText(typed)).toBe(name))

test.each([
  ['Persian', '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627'],
  ['Sinhala', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ['Malayalam, at the end of a word', '\u0d28\u0d4d\u200d Rewi'],
  ['a family emoji', 'Ana \u{1f469}\u200d\u{1f467} Rewi'],
  ['an emoji with skin tones', '\u{1f469}\u{1f3fd}\u200d\u{1f91d}\u200d\u{1f469}\u{1f3fb}'],
  ['an emoji with a variation selector', '\u2764\ufe0f\u200d\u{1f525}'],
])('keeps the joiners that a name needs: %s', (_language, name) => expect(cleanText(name)).toBe(name))

test.each(['\u200c', '\u200d'])(
  'keeps at most one joiner %j in a row, and none beside a space or a Latin letter',
  (joiner) => {
    expect(cleanText(`\u0639${joiner}${joiner}\u0631`)).toBe(`\u0639${joiner}\u0631`)
    expect(cleanText(`\u0639${joiner} \u0631`)).toBe('\u0639 \u0631')
    expect(cleanText(`A${joiner}${joiner}na`)).toBe('Ana')
    expect(cleanText(`\u{1f41a}${joiner}`)).toBe('\u{1f41a}')
  },
)

test.each([
  ['\u202d021 555 0142\u202c', '021 555 0142'],
  ['\u200e021 555 0142', '021 555 0142'],
  ['\uff10\uff12\uff11 \uff15\uff15\uff15 \uff10\uff11\uff14\uff12', '021 555 0142'],
  ['\u202dana@example.nz\u202c', 'ana@example.nz'],
  ['ana\t@example.nz', 'ana@example.nz'],
])('cleans the code %j', (typed, code) => expect(cleanCode(typed)).toBe(code))

test('counts code points, so a character outside the basic plane counts once', () => {
  expect(countCharacters('\u{20bb7}\u91ce')).toBe(2)
  expect(countCharacters('')).toBe(0)
})
