import { expect } from 'vitest'
import { mailsOf } from './auto-renewal.ts'
import { orderOf, refunded, type Waiting } from './next-plan.ts'
import { networkStory } from './simulators.ts'
import { until } from './until.ts'
import type { World } from './world.ts'

export const removed = ['add_plan completed', 'remove_plan completed']

export const hasMail = (world: World, waiting: Waiting, subject: RegExp, times = 1) =>
  until(async () => (await mailsOf(world, waiting)).filter((mail) => subject.test(mail.subject)).length === times)

export async function expectChanged(world: World, { orderCode }: Waiting, newCode: string): Promise<void> {
  await until(async () => (await orderOf(world, orderCode)).state === 'cancelled')
  await until(async () => (await refunded(world, orderCode)) === 3600)
  expect(await networkStory(world, orderCode)).toEqual(removed)
  await until(async () => (await orderOf(world, newCode)).state === 'completed')
  expect(await networkStory(world, newCode)).toEqual(['add_plan completed'])
  expect(await refunded(world, newCode)).toBe(0)
}
