import { describe, expect, test } from 'vitest'
import { selectInjectors } from './inject-faults.ts'
import { injectors } from './injectors/all-injectors.ts'
import { createRandom } from './random.ts'

const some = (seed: number, name = ''): number[] => {
  const random = createRandom(seed).branch(name)
  return Array.from({ length: 20 }, () => random.between(1, 1_000))
}

describe('seeded random choices', () => {
  test('random choices are the same only if both the seed and the forked generator’s name are the same', () => {
    expect(some(7)).toEqual(some(7))
    expect(some(8)).not.toEqual(some(7))
    expect(some(7, 'life 2')).not.toEqual(some(7, 'life 1'))
  })

  test('drawing more numbers from a random number generator does not change the sequences of generators forked from it', () => {
    const [one, other] = [createRandom(7), createRandom(7)]
    one.next()
    expect(one.branch('kill').next()).toBe(other.branch('kill').next())
  })

  test('seeded random choices stay within bounds and are made about as often as expected', () => {
    const random = createRandom(1)
    const drawn = Array.from({ length: 10_000 }, () => random.between(1, 4))
    expect(new Set(drawn)).toEqual(new Set([1, 2, 3, 4]))
    const hits = Array.from({ length: 10_000 }, () => random.chance(0.1)).filter(Boolean).length
    expect(hits).toBeGreaterThan(850)
    expect(hits).toBeLessThan(1_150)
  })
})

describe('selecting fault injectors for a run', () => {
  const names = (...args: Parameters<typeof selectInjectors> extends [unknown, ...infer Rest] ? Rest : never) =>
    selectInjectors(injectors, ...args).map(({ name }) => name)

  test('every fault injector has a unique name', () => {
    expect(new Set(injectors.map(({ name }) => name)).size).toBe(injectors.length)
  })

  test('a run uses only those requested fault injectors that work with its database', () => {
    expect(names([], [])).not.toContain('terminate')
    expect(names([], ['postgres'])).toContain('terminate')
    expect(names([], ['postgres'])).not.toContain('failover')
    expect(names(['kill', 'failover'], [])).toEqual(['kill'])
  })
})
