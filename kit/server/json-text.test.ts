import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonOf, readBack } from './json-text.ts'

test('whatever was read back is as JSON what it was, written once', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const data = readBack(value)
      expect(data).toEqual(JSON.parse(JSON.stringify(value)))
      expect(jsonOf(data)).toBe(JSON.stringify(value))
    }),
  )
})

test('what was never written is written', () => {
  expect(jsonOf({ at: new Date(0), none: undefined })).toBe('{"at":"1970-01-01T00:00:00.000Z"}')
  expect(jsonOf('kea')).toBe('"kea"')
})
