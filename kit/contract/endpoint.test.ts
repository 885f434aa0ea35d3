import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { endpoint, buildPath } from './endpoint.ts'

const declaration = {
  method: 'DELETE',
  path: '/api/services/auto_renew/:uuid/:scheduleId/',
  summary: 'Switches it off',
  params: v.object({ uuid: v.string(), scheduleId: v.string() }),
  output: v.object({}),
} as const
const call = endpoint(declaration)

test('endpoint() returns the declaration passed to it unchanged', () => expect(call).toBe(declaration))

describe("buildPath: an endpoint's path with its parameters", () => {
  test("buildPath inserts encoded parameters into an endpoint's path", () => {
    expect(buildPath(call, { uuid: 'a/b?', scheduleId: 7 })).toBe('/api/services/auto_renew/a%2Fb%3F/7/')
  })

  test('buildPath returns a path that has no parameters unchanged', () => {
    expect(buildPath({ ...call, path: '/api/services/' })).toBe('/api/services/')
  })

  test('if a path parameter is missing, buildPath throws an error that names it', () => {
    expect(() => buildPath(call, { uuid: 'a' })).toThrow('/api/services/auto_renew/:uuid/:scheduleId/ needs scheduleId')
  })
})
