import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../contract/endpoint.ts'
import { newPasswordSchema } from '../contract/password.ts'
import { optionalText, requiredText } from '../contract/schema.ts'
import { createSizeCheck, defaultMaxLength } from './input-limits.ts'

const fields = {
  name: v.pipe(requiredText('Say its name.'), v.maxLength(30, 'A shorter name, please.')),
  song: v.optional(v.pipe(v.string(), v.maxLength(8_000, 'Too long a song.'))),
  word: optionalText(),
  secret: newPasswordSchema(),
  page: v.union([v.literal('none'), v.pipe(v.string(), v.maxLength(900))]),
  legs: v.optional(v.number(), 2),
  feathers: v.pipe(v.array(v.pipe(v.string(), v.regex(/^\w{1,20}$/))), v.maxLength(5_000)),
}
const bodyOf = (body: v.GenericSchema) => {
  const excessOf = createSizeCheck(
    endpoint({ method: 'POST', path: '/api/birds/', summary: 'One more', body, output: v.object({}) }),
  )
  return (sent: unknown) => excessOf({ params: undefined, query: undefined, body: sent }).body
}
const excess = bodyOf(v.object(fields))
const text = (length: number): string => 'x'.repeat(length)
const unreadable = { __all__: ['We could not read that request.'] }

describe('text length limits', () => {
  test.each([
    ['name', defaultMaxLength],
    ['song', 8_000],
    ['word', defaultMaxLength],
    ['secret', defaultMaxLength],
    ['page', 900],
    ['legs', defaultMaxLength],
    ['unheard of', defaultMaxLength],
  ])('the field %s may have at most %i characters', (field, most) => {
    expect(excess({ [field]: text(most) })).toBeNull()
    expect(excess({ [field]: text(most + 1) })).not.toBeNull()
  })

  test("reports oversized text with its field's own message, if there is one", () => {
    const body = { name: text(501), song: text(8_001), word: text(501), secret: text(501), legs: 2 }
    expect(excess(body)).toEqual({
      name: ['A shorter name, please.'],
      song: ['Too long a song.'],
      word: ['Please use fewer characters.'],
      secret: ['Your password can be up to 200 characters.'],
    })
  })

  test('limits the length of each text in a list or a nested value, not only of text directly in a field', () => {
    expect(excess({ feathers: [text(20), text(500)] })).toBeNull()
    expect(excess({ feathers: [text(20), text(501)] })).toEqual({ feathers: ['Please use fewer characters.'] })
    expect(excess({ name: { deeper: [text(501)] } })).toEqual({ name: ['A shorter name, please.'] })
  })

  test('limits every string in an object to the longest length that any of its fields allows', () => {
    const key = v.looseObject({
      id: v.pipe(v.string(), v.maxLength(40)),
      signed: v.pipe(v.string(), v.maxLength(2_000)),
    })
    const excessIn = bodyOf(v.object({ key }))
    expect(excessIn({ key: { id: text(40), signed: text(2_000), more: text(2_000) } })).toBeNull()
    expect(excessIn({ key: { id: text(40), signed: text(2_001) } })).toEqual({ key: [expect.any(String)] })
  })

  test("reports oversized text in an unknown field without repeating the field's name", () => {
    expect(excess({ '4111111111111111': text(501), name: text(501) })).toEqual(unreadable)
    expect(excess({ constructor: text(501) })).toEqual(unreadable)
    expect(excess(text(501))).toEqual(unreadable)
  })
})

test("applies each field's length limit even if the form has a rule for the whole form", () => {
  const form = v.pipe(
    v.object(fields),
    v.check(() => false),
  )
  expect(bodyOf(form)({ song: text(8_000) })).toBeNull()
  expect(bodyOf(form)({ song: text(8_001) })).toEqual({ song: ['Too long a song.'] })
})

test.each([
  ['many fields', Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, 1]))],
  ['many values', { word: Array.from({ length: 101 }, () => 1) }],
  [
    'many values spread over several fields',
    Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, Array.from({ length: 10 }, () => 1)])),
  ],
  ['deeply nested values', JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)],
  ['deeply nested lists', { word: JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) }],
  ['long field names', { [text(101)]: 1 }],
  ['long names of nested fields', { word: { [text(101)]: 1 } }],
])('rejects a body with %s before looking at its fields', (_what, body) => expect(excess(body)).toEqual(unreadable))

test.each([
  [undefined],
  [null],
  [7],
  [true],
  ['text'],
  [[]],
  [{}],
  [{ name: null, word: 7, feathers: {}, extra: [[['x']]] }],
])('leaves %j to the schema because it is within the size limits', (body) => expect(excess(body)).toBeNull())

test('limits the length of text in path and query parameters', () => {
  const excessOf = createSizeCheck(
    endpoint({
      method: 'GET',
      path: '/api/birds/:name/',
      summary: 'One',
      params: v.object({ name: v.string() }),
      output: v.object({}),
    }),
  )
  expect(excessOf({ params: { name: text(500) }, query: { side: text(500) }, body: undefined })).toEqual({
    params: null,
    query: null,
    body: null,
  })
  expect(excessOf({ params: { name: text(501) }, query: { side: ['left', text(501)] }, body: undefined })).toEqual({
    params: { name: ['Please use fewer characters.'] },
    query: unreadable,
    body: null,
  })
})
