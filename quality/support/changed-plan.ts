import { expect } from 'vitest'
import { readMails } from './auto-renewal.ts'
import { readOrder, refundedCents, type QueuedPlan } from './next-plan.ts'
import { networkActions } from './simulators.ts'
import { pollUntil } from './poll-until.ts'
import type { World } from './world.ts'

export const removedActions = ['add_plan completed', 'remove_plan completed']

export const waitForMails = (world: World, waiting: QueuedPlan, subject: RegExp, times = 1) =>
  pollUntil(async () => (await readMails(world, waiting)).filter((mail) => subject.test(mail.subject)).length === times)

export async function expectQueuedPlanReplaced(
  world: World,
  { orderCode }: QueuedPlan,
  newCode: string,
): Promise<void> {
  await pollUntil(async () => (await readOrder(world, orderCode)).state === 'cancelled')
  await pollUntil(async () => (await refundedCents(world, orderCode)) === 3600)
  expect(await networkActions(world, orderCode)).toEqual(removedActions)
  await pollUntil(async () => (await readOrder(world, newCode)).state === 'completed')
  expect(await networkActions(world, newCode)).toEqual(['add_plan completed'])
  expect(await refundedCents(world, newCode)).toBe(0)
}
