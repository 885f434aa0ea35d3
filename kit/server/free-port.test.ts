import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort } from './free-port.ts'

async function listenAt(port: number) {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

test("findFreePort returns a different port each time, below the system's ephemeral ports", async () => {
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
  expect(new Set(ports).size).toBe(3)
  for (const port of ports) expect([port >= 20_000, port < 32_000]).toEqual([true, true])
})

test('findFreePort skips ports that are in use', async () => {
  const first = await findFreePort()
  const taken = await Promise.all([1, 2].map((further) => listenAt(first - (first % 100) + ((first + further) % 100))))
  const found = await findFreePort()
  expect(taken.map((server) => (server.address() as { port: number }).port)).not.toContain(found)
  const server = await listenAt(found)
  for (const each of [...taken, server]) each.close()
})
