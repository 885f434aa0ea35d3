import { describe, expect, test } from 'vitest'
import { cleanField, dropTrailingEmpty, namedSeparator, tryEachSeparator } from './csv-fields.ts'

describe('the value of a CSV field', () => {
  test.each([
    ['89640', '89640'],
    [' 89640 ', '89640'],
    ['"89640"', '89640'],
    ['" 89640 "', '89640'],
    ['="89640"', '89640'],
    ['"=""89640"""', '89640'],
    ["'89640", '89640'],
    ['’89640', '89640'],
    ['"\'89640"', '89640'],
    ['\'="89640"', '89640'],
    ['89640\t', '89640'],
    ['\u202d021 555 0142\u202c', '021 555 0142'],
    ['"\u200e021\u00a0555\u00a00142"', '021 555 0142'],
    ['０２１', '021'],
    ['"Ours, ""Ltd"""', 'Ours, "Ltd"'],
    ['', ''],
    ['"', '"'],
    ['""', ''],
    ['=1+1', '=1+1'],
  ])('the field %j has the value %j', (field, value) => expect(cleanField(field)).toBe(value))
})

test.each([
  ['sep=;', ';'],
  ['SEP=,', ','],
  ['sep=\t', '\t'],
  ['"sep=|"', '|'],
  ['sep=;;;', ';'],
  ['sep=', null],
  ['iccid,msisdn', null],
  ['sep=ab', null],
])('the line %j of a CSV file names the separator %j', (line, separator) =>
  expect(namedSeparator(line)).toBe(separator),
)

test('a header is tried with the separator that the file names, then with the usual ones', () => {
  const tried: string[] = []
  const readNothing = (separator: string) => {
    tried.push(separator)
    return null
  }
  expect(tryEachSeparator('^', readNothing)).toBeNull()
  expect(tried).toEqual(['^', ',', ';', '\t', '|'])
  expect(tryEachSeparator(null, (separator) => (separator === ';' ? 'found' : null))).toBe('found')
})

test('only the empty fields at the end of a header are dropped', () => {
  expect(dropTrailingEmpty(['a', '', 'b', '', ''])).toEqual(['a', '', 'b'])
  expect(dropTrailingEmpty(['', ''])).toEqual([])
})
