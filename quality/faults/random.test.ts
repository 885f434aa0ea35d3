import { describe, expect, test } from 'vitest'
import { selectInjectors } from './inject-faults.ts'
import { injectors } from './injectors/all-injectors.ts'
import { createRandom } from './random.ts'

const some = (seed: number, name = ''): number[] => {
  const random = createRandom(seed).branch(name)
  return Array.from({ length: 20 }, () => random.between(1, 1_000))
}

describe('random choices', () => {
  test('random choices depend on the seed and on the name of the branch', () => {
    expect(some(7)).toEqual(some(7))
    expect(some(8)).not.toEqual(some(7))
    expect(some(7, 'life 2')).not.toEqual(some(7, 'life 1'))
  })

  test('drawing more numbers from one source does not change its branches', () => {
    const [one, other] = [createRandom(7), createRandom(7)]
    one.next()
    expect(one.branch('kill').next()).toBe(other.branch('kill').next())
  })

  test('random choices stay within their bounds and come up about as often as they should', () => {
    const random = createRandom(1)
    const drawn = Array.from({ length: 10_000 }, () => random.between(1, 4))
    expect(new Set(drawn)).toEqual(new Set([1, 2, 3, 4]))
    const hits = Array.from({ length: 10_000 }, () => random.chance(0.1)).filter(Boolean).length
    expect(hits).toBeGreaterThan(850)
    expect(hits).toBeLessThan(1_150)
  })
})

describe('possible injectors', () => {
  const names = (...args: Parameters<typeof selectInjectors> extends [unknown, ...infer Rest] ? Rest : never) =>
    selectInjectors(injectors, ...args).map(({ name }) => name)

  test('every injector has a name of its own', () => {
    expect(new Set(injectors.map(({ name }) => name)).size).toBe(injectors.length)
  })

  test('the possible injectors are those that the world has room for and that were requested', () => {
    expect(names([], [])).not.toContain('terminate')
    expect(names([], ['postgres'])).toContain('terminate')
    expect(names([], ['postgres'])).not.toContain('failover')
    expect(names(['kill', 'failover'], [])).toEqual(['kill'])
  })
})
