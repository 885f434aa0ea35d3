import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { endpoint, pathOf } from './endpoint.ts'

const declaration = {
  method: 'DELETE',
  path: '/api/services/auto_renew/:uuid/:scheduleId/',
  summary: 'Switches it off',
  params: v.object({ uuid: v.string(), scheduleId: v.string() }),
  output: v.object({}),
} as const
const call = endpoint(declaration)

test('an endpoint is what was declared', () => expect(call).toBe(declaration))

describe('a path', () => {
  test('has its parameters in their places, encoded', () => {
    expect(pathOf(call, { uuid: 'a/b?', scheduleId: 7 })).toBe('/api/services/auto_renew/a%2Fb%3F/7/')
  })

  test('without parameters is itself', () => {
    expect(pathOf({ ...call, path: '/api/services/' })).toBe('/api/services/')
  })

  test('is not had while a parameter is missing', () => {
    expect(() => pathOf(call, { uuid: 'a' })).toThrow('/api/services/auto_renew/:uuid/:scheduleId/ needs scheduleId')
  })
})
