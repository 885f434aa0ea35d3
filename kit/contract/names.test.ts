import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { validNameCharacters, splitFullName } from './names.ts'

test.each([
  ['Ana Rewi', 'Ana', 'Rewi'],
  ['Ana Mere Rewi', 'Ana', 'Mere Rewi'],
  ['  Ana\tMere   Rewi ', 'Ana', 'Mere Rewi'],
  ['Ana\u00a0Rewi', 'Ana', 'Rewi'],
  ['Ana', 'Ana', ''],
  ['', '', ''],
])('splits the full name %j into the first word and the rest', (full, first_name, last_name) =>
  expect(splitFullName(full)).toEqual({ first_name, last_name }),
)

describe('validNameCharacters: characters allowed in names', () => {
  const isName = (text: string): boolean => v.is(v.pipe(v.string(), validNameCharacters('No.')), text)

  test.each(
    [
      [
        'Ana',
        'Ngā Tāngata',
        'Zoë O’Neill-Smith',
        'J. R. R. 3rd',
        '李 小龙',
        'علی رضا',
        'Ἀθηνᾶ',
        'Nguyễn Thị',
        '<b>Bob</b>',
        'Ana 🐚',
      ],
      // The first name has a combining macron, and the second name contains a variation selector.
      ['Nga\u0304ti', '\u8fbb\u{e0100}'],
      // These Persian, Sinhala and Malayalam spellings need a zero-width joiner or non-joiner.
      ['\u0639\u0644\u06cc\u200c\u0631\u0636\u0627', '\u0dc1\u0dca\u200d\u0dbb\u0dd3', '\u0d28\u0d4d\u200d'],
    ].flat(),
  )('accepts the name %j', (name) => expect(isName(name)).toBe(true))

  test.each<[string, string]>([
    ['a line break', '\n'],
    ['NUL', '\0'],
    ['DEL', '\u007f'],
    ['next line', '\u0085'],
    ['a soft hyphen', '\u00ad'],
    ['an Arabic letter mark', '\u061c'],
    ['a zero width space', '\u200b'],
    ['a left-to-right mark', '\u200e'],
    ['a right-to-left mark', '\u200f'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ...[...'\u202a\u202b\u202c\u202d\u202e'].map((character): [string, string] => [
      'an embedding or override',
      character,
    ]),
    ['a word joiner', '\u2060'],
    ...[...'\u2066\u2067\u2068\u2069'].map((character): [string, string] => ['an isolate', character]),
    ['a byte order mark', '\ufeff'],
    ['a Hangul filler', '\u3164'],
    ['an empty braille pattern', '\u2800'],
    ['a private character', '\ue000'],
    ['a tag', '\u{e0041}'],
  ])('rejects a name that contains %s (%j)', (_what, character) => {
    for (const text of [`A${character}na`, `${character}Ana`, `Ana${character}`, character])
      expect(isName(text)).toBe(false)
  })
})
