import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { isLongBody, stringifyInChunks } from './json-in-chunks.ts'

const row = (n: number) => ({ n, name: `Ana "${n}" Ngata`, none: null, left_out: undefined })
const rows = Array.from({ length: 1_001 }, (_, n) => row(n))

describe('stringifyInChunks: writing long responses as JSON', () => {
  test.each([
    ['an array', rows],
    ['an array with an undefined entry', [...rows, undefined]],
    ['an object', Object.fromEntries(rows.map((each) => [`key "${each.n}"`, each]))],
    ['an object with an undefined entry', { first: undefined, ...rows, last: undefined }],
  ])('stringifyInChunks writes the same JSON as JSON.stringify: %s', async (_name, body) => {
    expect(await stringifyInChunks(body)).toBe(JSON.stringify(body))
  })

  test('other work can run while a long response is being written as JSON', async () => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await stringifyInChunks(rows)
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  test('a response with more than a hundred entries counts as long', () => {
    expect([rows, Object.fromEntries(rows.entries())].map(isLongBody)).toEqual([true, true])
    expect([rows.slice(0, 100), row(1), null, 'a'.repeat(1_000), Readable.from('a')].map(isLongBody)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
