import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { isLong, jsonInPieces } from './json-in-pieces.ts'

const row = (n: number) => ({ n, name: `Ana "${n}" Ngata`, none: null, left_out: undefined })
const rows = Array.from({ length: 1_001 }, (_, n) => row(n))

describe('a long answer', () => {
  test.each([
    ['an array', rows],
    ['an array with an undefined entry', [...rows, undefined]],
    ['an object', Object.fromEntries(rows.map((each) => [`key "${each.n}"`, each]))],
    ['an object with an undefined entry', { first: undefined, ...rows, last: undefined }],
  ])('is the same JSON as if it were written at once: %s', async (_name, body) => {
    expect(await jsonInPieces(body)).toBe(JSON.stringify(body))
  })

  test('lets other work run between its pieces', async () => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await jsonInPieces(rows)
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  test('is told by the number of its entries', () => {
    expect([rows, Object.fromEntries(rows.entries())].map(isLong)).toEqual([true, true])
    expect([rows.slice(0, 100), row(1), null, 'a'.repeat(1_000), Readable.from('a')].map(isLong)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
