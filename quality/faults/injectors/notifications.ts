import { setTimeout as pause } from 'node:timers/promises'
import type { FaultWorld, Injector } from '../injector.ts'
import { runUntilStopped } from './run-until-stopped.ts'

const modes = ['drop', 'duplicate', 'reorder', 'hold'] as const

async function setWebhookMode({ gateway }: FaultWorld, order: { mode?: string; release?: boolean }): Promise<void> {
  const answer = await fetch(`${gateway.url}/_simulator/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })
  if (!answer.ok) throw new Error(`the gateway's simulator answered ${answer.status}`)
}

export const notifications: Injector = {
  name: 'notifications',
  // Fantail never finds out about a dropped webhook, so it is right to create a task about a missing confirmation.
  warrants: [/the gateway has never confirmed/],
  needs: [],
  settlesWithin: 120,
  lasts: 40,
  start: (world, random) =>
    runUntilStopped(
      world,
      async (stopping) => {
        const mode = random.pick(modes)
        world.log(`notifications: ${mode}`)
        await setWebhookMode(world, { mode })
        await pause(random.between(2_000, 6_000), undefined, { signal: stopping })
        await setWebhookMode(world, { mode: 'normal', release: true })
        await pause(random.between(500, 2_000), undefined, { signal: stopping })
      },
      () => setWebhookMode(world, { mode: 'normal', release: true }),
    ),
}

export const networkEvents: Injector = {
  name: 'network-events',
  needs: [],
  settlesWithin: 120,
  lasts: 40,
  start: (world, random) =>
    runUntilStopped(
      world,
      async (stopping) => {
        const mode = random.pick(modes)
        world.log(`network-events: ${mode}`)
        world.network.setEventMode(mode)
        await pause(random.between(2_000, 6_000), undefined, { signal: stopping })
      },
      () => {
        world.network.setEventMode('normal')
        world.network.releaseEvents()
      },
    ),
}
