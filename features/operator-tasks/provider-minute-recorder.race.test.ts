import { expect, test } from 'vitest'
import type { ExternalCall } from '#kit/server/external-calls.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { createProviderMinuteRecorder } from './server/provider-minute-recorder.ts'

const world = useWorld()

test('requests to a provider in the same minute are counted together, even if several processes record them', async () => {
  const onError = (error: unknown): void => {
    throw error
  }
  const process = () => createProviderMinuteRecorder({ db: world().db, thresholds: { providerMinutesMs: 10 }, onError })
  const processes = [process(), process(), process()]
  const call = { service: 'usage', operation: 'balances', outcome: 'answered', why: null } as const
  const hear = (each: Pick<ExternalCall, 'isFailure' | 'ms'>): void => {
    for (const { recordCall: hear } of processes) hear({ ...call, ...each })
  }
  for (let each = 1; each <= 100; each += 1) hear({ isFailure: each % 10 === 0, ms: each * 40 })
  for (const { recordCall: hear } of processes) hear({ ...call, service: 'sms', isFailure: false, ms: 5 })
  const rows = () =>
    world().db.selectFrom('provider_minutes').selectAll().where('provider', 'in', ['usage', 'sms']).execute()
  const sumOf = async (what: 'ok' | 'failed' | 'slow') =>
    (await rows()).filter(({ provider }) => provider === 'usage').reduce((sum, row) => sum + row[what], 0)
  await pollUntil(async () => (await sumOf('ok')) === 270)
  expect([await sumOf('failed'), await sumOf('slow')]).toEqual([30, 66])
  expect(Math.max(...(await rows()).map(({ p95_ms }) => p95_ms))).toBeGreaterThanOrEqual(3_800)
  await Promise.all(processes.map(({ stop }) => stop()))
})
