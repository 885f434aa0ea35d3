import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#kit/server/free-port.ts'
import { logInAs } from '#quality/support/customer.ts'
import { floodLogins } from '#quality/faults/login-flood.ts'
import { password, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { parseMetric } from '#quality/support/prometheus.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForVerifyTokens } from '#quality/support/verify-link.ts'
import type { Visitor } from '#quality/support/visitor.ts'

// This test uses fewer clients and less time than the measurement in `docs/reliability.md` (200 clients for 60 seconds).
const [clients, seconds] = [Number(process.env['FLOOD_CLIENTS'] ?? 100), Number(process.env['FLOOD_SECONDS'] ?? 10)]
const opsPort = await findFreePort()
const beside = 8

let world: KillTestWorld
beforeAll(async () => {
  // The clients' requests come through a trusted proxy, so that each client has its own IP address.
  world = await startKillTestWorld({ env: { OPS_PORT: String(opsPort), TRUSTED_PROXIES: '127.0.0.1,::1' } })
})
afterAll(() => world?.close())

const megabytes = async (): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  return (parseMetric(text, 'process_resident_memory_bytes') ?? 0) / 1e6
}

async function newCustomer(): Promise<{ visitor: Visitor; email: string; password: string }> {
  const traveller = await advanceWizardTo(world, 'PAYMENT')
  expect((await traveller.pay()).status).toBe(200)
  await traveller.arriveAt('SUCCESSFUL')
  const [token] = await waitForVerifyTokens(world, traveller.email)
  expect((await traveller.visitor.post('/api/account/verify_email/', { token })).status).toBe(200)
  const { email } = traveller
  return { visitor: await logInAs(world, { email, password }), email, password }
}

test('customers are served while a login flood is rejected, and can log in within five seconds of its end', async () => {
  const [ana, ...others] = await Array.fromAsync({ length: 3 }, newCustomer)
  if (!ana) throw new Error('nobody came')
  const before = await megabytes()
  const over = new AbortController()
  const [times, failed]: [number[], string[]] = [[], []]
  const p99OfReads = (): number => {
    const sorted = times.splice(0).toSorted((one, other) => one - other)
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0
  }
  const note = async (asked: string, ask: () => Promise<{ status: number }>): Promise<void> => {
    const began = performance.now()
    const { status } = await ask()
    times.push(performance.now() - began)
    if (status !== 200) failed.push(`${asked}: ${status}`)
  }
  const reads = async ({ visitor }: { visitor: Visitor }): Promise<void> => {
    for (; !over.signal.aborted; await pause(50))
      for (const path of ['/api/account/', '/api/services/', '/api/account/numbers/'])
        await note(path, () => visitor.get(path))
  }
  const reading = Array.from({ length: beside }, (_, index) => reads([ana, ...others][index % 3] ?? ana))
  await pause(3_000)
  const calm = p99OfReads()
  const flood = floodLogins(world.product.url, clients)
  await pause(seconds * 500)
  const buyer = await advanceWizardTo(world, 'PAYMENT')
  expect((await buyer.pay()).status).toBe(200)
  await buyer.arriveAt('SUCCESSFUL')
  await pause(seconds * 500)
  const during = await megabytes()
  const readers = p99OfReads()
  const { statuses, p50, p99 } = await flood.stop()
  const stopped = performance.now()
  await pollUntil(() => logInAs(world, ana).catch(() => null))
  const recovered = performance.now() - stopped
  over.abort()
  await Promise.all(reading)

  if (process.env['FLOOD_CLIENTS'])
    console.info({
      clients,
      seconds,
      statuses,
      p50,
      p99,
      calm,
      readers,
      recovered,
      before,
      during,
      after: await megabytes(),
    })
  expect(failed).toEqual([])
  /*
   * The time limit is generous, because the login flood, the customers being measured and other programs share the
   * machine's two processors.
   */
  expect(readers).toBeLessThan(Math.max(3_000, 10 * calm))
  const { 400: compared = 0, 429: limited = 0, 503: busy = 0, ...strange } = statuses
  expect(strange).toEqual({})
  expect(limited + busy).toBeGreaterThan(compared)
  expect(p50).toBeLessThan(2_000)
  expect(p99).toBeLessThan(20_000)
  expect(recovered).toBeLessThan(5_000)
  expect(during - before).toBeLessThan(150)
  expect(world.product.complaints()).toEqual([])
}, 300_000)
