import { describe, expect, test } from 'vitest'
import { readWish, roomOf } from './arguments.ts'

const otherwise = { orders: 60, minutes: 1, where: ['embedded' as const], only: ['kill'] }
const known = ['kill', 'freeze', 'failover']
const read = (...args: string[]) => readWish(args, otherwise, known)

describe('the command line of a run', () => {
  test('without a word it is the short form, with choices of its own', () => {
    expect(read()).toEqual({ ...otherwise, seed: expect.any(Number), out: null, processes: 2 })
  })

  test('says each of its wishes', () => {
    const words = ['--seed', '7', '--only', 'kill,freeze', '--orders', '200', '--minutes', '5', '--on', 'pair,embedded']
    expect(read(...words, '--processes', '3', '--out', 'soak.json')).toEqual({
      seed: 7,
      only: ['kill', 'freeze'],
      orders: 200,
      minutes: 5,
      where: ['pair', 'embedded'],
      processes: 3,
      out: 'soak.json',
    })
  })

  test('all of them go wrong where it says so', () => {
    expect(read('--only', 'all').only).toEqual([])
  })

  test.each([
    [['--only', 'kil'], 'There is no injector kil: kill, freeze, failover.'],
    [['--on', 'mars'], '--on takes embedded, postgres, cluster, pooled, pair, not mars.'],
    [['--seed', 'x'], '--seed takes a whole number, not x.'],
    [['--sead', '1'], "Unknown option '--sead'"],
  ])('%s is refused in a line', (args, why) => {
    expect(() => read(...args)).toThrow(why)
  })
})

test.each([
  ['embedded', 2, ['embedded']],
  ['postgres', 1, ['postgres']],
  ['postgres', 2, ['postgres', 'processes']],
  ['cluster', 2, ['postgres', 'cluster', 'processes']],
  ['pair', 2, ['postgres', 'cluster', 'pair', 'processes']],
] as const)('on %s with %i processes there is room for %j', (where, processes, room) => {
  expect(roomOf(where, processes)).toEqual(room)
})
