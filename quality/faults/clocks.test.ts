import { expect, test } from 'vitest'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { FaultProcess, FaultWorld, Injector } from './injector.ts'
import { skew, step } from './injectors/clocks.ts'
import { createRandom } from './random.ts'

async function done(injector: Injector, least: number): Promise<string[]> {
  const acts: string[] = []
  const processOf = (name: string): Partial<FaultProcess> => ({
    name,
    restart: async (besides) =>
      void acts.push(`${name} began with ${besides?.['CLOCK_SKEW_SECONDS'] ?? 'the right time'}`),
    // Throw an error, as if the process had just died.
    skewClock: async (seconds) => {
      acts.push(`${name} set to ${seconds}`)
      throw new Error('it is dead')
    },
  })
  const world = { processes: ['one', 'two'].map(processOf), signal: new AbortController().signal, log: () => {} }
  const running = await injector.start(world as unknown as FaultWorld, createRandom(3))
  await pollUntil(async () => acts.length >= least)
  await running.stop()
  return acts
}

test('the clock skew injector makes one process’s clock wrong, and then right again', async () => {
  const acts = await done(skew, 1)
  expect(acts).toEqual([
    expect.stringMatching(/^(one|two) began with -?\d+$/),
    expect.stringMatching(/^(one|two) began with the right time$/),
  ])
})

test('the clock step injector changes the clocks of running processes, and corrects them at the end', async () => {
  const acts = await done(step, 4)
  expect(acts.slice(0, 2)).toEqual(['one began with 0', 'two began with 0'])
  expect(acts.slice(2, -2).every((act) => /^(one|two) set to -?\d+$/.test(act))).toBe(true)
  expect(acts.slice(-2)).toEqual(['one began with the right time', 'two began with the right time'])
})
