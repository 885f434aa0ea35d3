import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { openJson, parseJsonFile } from './json-file.ts'
import { parseJson, singleLineText } from './parse-json.ts'

const schema = v.strictObject({
  title: v.optional(singleLineText(5)),
  plans: v.optional(v.array(v.strictObject({ price: v.number(), size: v.optional(v.number()) }))),
})

function read(text: string) {
  const faults: string[] = []
  return {
    value: parseJsonFile(
      openJson('a.json', text, (line) => faults.push(line)),
      schema,
    ),
    faults,
  }
}

describe('a fault in a JSON file', () => {
  test('names the line and the value', () => {
    const { value, faults } = read(`{
  "plans": [
    { "price": 1 },
    {
      "price": "2.50",
      "size": null
    }
  ]
}`)
    expect(value).toBeNull()
    expect(faults).toEqual([
      'a.json: line 5: plans.1.price: must be a number, not "2.50".',
      'a.json: line 6: plans.1.size: must be a number, not null.',
    ])
  })

  test('names the line of the enclosing object if a field is missing, and of the key if it is unknown', () => {
    expect(read('{\n"plans": [\n{\n}]}').faults).toEqual(['a.json: line 3: plans.0.price: is missing.'])
    expect(read('{\n\n"colour": 1}').faults).toEqual(['a.json: line 3: colour: is unknown.'])
  })

  test('is reported if a key occurs twice in the same object', () => {
    const { value, faults } = read('{"plans": [\n{"price": 1,\n"price": 2}, {"price": 3}]}')
    expect(value).toBeNull()
    expect(faults).toEqual(['a.json: line 3: plans.0.price: appears twice.'])
  })

  test('quotes at most 60 characters of a value, and only names the type of a list or an object', () => {
    expect(read(`{"plans": ${JSON.stringify('x'.repeat(1_000))}}`).faults).toEqual([
      `a.json: line 1: plans: must be a list, not "${'x'.repeat(60)}…".`,
    ])
    expect(read('{"plans": [{"price": []}, {"price": {}}]}').faults).toEqual([
      'a.json: line 1: plans.0.price: must be a number, not a list.',
      'a.json: line 1: plans.1.price: must be a number, not an object.',
    ])
  })

  test('does not quote values of a file that may contain secrets', () => {
    const faults: string[] = []
    parseJson('a.json', '{"plans": "secret"}', schema, (line) => faults.push(line))
    expect(faults).toEqual(['a.json: line 1: plans: must be a list.'])
  })
})

test.each([
  ['{\n  "plans": nothing\n}', "a.json: line 2, column 12: is not JSON: Unexpected token 'o'."],
  ['{\n  "plans": [],\n}', 'a.json: line 3, column 1: is not JSON: Expected double-quoted property name.'],
  ['{\n  "plans": [', 'a.json: line 2, column 13: is not JSON: Unexpected end of JSON input.'],
  ['', 'a.json: line 1, column 1: is not JSON: Unexpected end of JSON input.'],
  ['{"title": "a\nb"}', 'a.json: line 1, column 11: is not JSON: Bad control character in string literal.'],
])('the fault in %j names its line and column', (text, line) => {
  expect(read(text).faults).toEqual([line])
})

test('a JSON file may begin with a byte order mark', () => {
  expect(read('\uFEFF{"title": "Tūī"}')).toEqual({ value: { title: 'Tūī' }, faults: [] })
})

test('text loses invisible characters, and its length counts code points', () => {
  expect(read('{"title": "\u202dTu\u0304i\u0304\u202c"}').value).toEqual({ title: 'Tūī' })
  expect(read('{"title": "🐦🐦🐦🐦🐦"}').value).toEqual({ title: '🐦🐦🐦🐦🐦' })
  expect(read('{"title": "🐦🐦🐦🐦🐦🐦"}').faults).toEqual([
    'a.json: line 1: title: must have 5 characters at most, not 6.',
  ])
})
