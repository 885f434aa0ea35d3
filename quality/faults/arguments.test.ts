import { describe, expect, test } from 'vitest'
import { readFaultRunOptions, listCapabilities } from './arguments.ts'

const otherwise = { orders: 60, minutes: 1, where: ['embedded' as const], only: ['kill'] }
const known = ['kill', 'freeze', 'failover']
const read = (...args: string[]) => readFaultRunOptions(args, otherwise, known)

describe('the command line for a run with injected faults', () => {
  test('by default, a run with injected faults is short and uses a random seed', () => {
    expect(read()).toEqual({ ...otherwise, seed: expect.any(Number), out: null, processes: 2 })
  })

  test('a run with injected faults accepts every command line option', () => {
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

  test('the option --only all selects every fault injector', () => {
    expect(read('--only', 'all').only).toEqual([])
  })

  test.each([
    [['--only', 'kil'], 'There is no injector kil: kill, freeze, failover.'],
    [['--on', 'mars'], '--on takes embedded, postgres, cluster, pooled, pair, not mars.'],
    [['--seed', 'x'], '--seed takes a whole number, not x.'],
    [['--sead', '1'], "Unknown option '--sead'"],
  ])('a run with injected faults rejects the arguments %s and gives the reason', (args, why) => {
    expect(() => read(...args)).toThrow(why)
  })
})

test.each([
  ['embedded', 2, ['embedded']],
  ['postgres', 1, ['postgres']],
  ['postgres', 2, ['postgres', 'processes']],
  ['cluster', 2, ['postgres', 'cluster', 'processes']],
  ['pair', 2, ['postgres', 'cluster', 'pair', 'processes']],
] as const)('a run on %s with %i processes can use fault injectors that need %j', (where, processes, room) => {
  expect(listCapabilities(where, processes)).toEqual(room)
})
