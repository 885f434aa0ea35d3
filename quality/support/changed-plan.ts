import { expect } from 'vitest'
import { readEmails } from './auto-renewal.ts'
import { readOrder, readRefundedCents, type QueuedPlan } from './next-plan.ts'
import { readNetworkActions } from './simulators.ts'
import { pollUntil } from './poll-until.ts'
import type { World } from './world.ts'

export const removedPlanActions = ['add_plan completed', 'remove_plan completed']

export const waitForEmails = (world: World, waiting: QueuedPlan, subject: RegExp, times = 1) =>
  pollUntil(
    async () => (await readEmails(world, waiting)).filter((mail) => subject.test(mail.subject)).length === times,
  )

export async function expectQueuedPlanReplaced(
  world: World,
  { orderCode }: QueuedPlan,
  newCode: string,
): Promise<void> {
  await pollUntil(async () => (await readOrder(world, orderCode)).state === 'cancelled')
  await pollUntil(async () => (await readRefundedCents(world, orderCode)) === 3600)
  expect(await readNetworkActions(world, orderCode)).toEqual(removedPlanActions)
  await pollUntil(async () => (await readOrder(world, newCode)).state === 'completed')
  expect(await readNetworkActions(world, newCode)).toEqual(['add_plan completed'])
  expect(await readRefundedCents(world, newCode)).toBe(0)
}
