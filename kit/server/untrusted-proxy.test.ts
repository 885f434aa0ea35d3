import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { warnAboutUntrustedProxy } from './untrusted-proxy.ts'

async function serverBehind(trusted: string[]) {
  const warnings: Record<string, unknown>[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      const entry = JSON.parse(String(line)) as Record<string, unknown>
      if (entry['level'] === 40) warnings.push(entry)
      done()
    },
  })
  const app = Fastify({ logger: { level: 'warn', stream } })
  warnAboutUntrustedProxy(app, trusted)
  app.get('/', () => ({}))
  const ask = (from: string, headers = {}) => app.inject({ url: '/', headers, remoteAddress: from })
  return { ask, warnings }
}
const forwarded = { 'x-forwarded-for': '203.0.113.9' }

test('warns once, naming the setting to change, when an untrusted proxy forwards an address', async () => {
  const { ask, warnings } = await serverBehind([])
  await ask('10.0.0.7')
  expect(warnings).toEqual([])
  for (let call = 0; call < 3; call++) await ask('::ffff:10.0.0.7', forwarded)
  expect(warnings).toEqual([
    expect.objectContaining({ from: '10.0.0.7', msg: expect.stringContaining('name it in TRUSTED_PROXIES') }),
  ])
})

test('does not warn when a trusted proxy forwards an address', async () => {
  const { ask, warnings } = await serverBehind(['10.0.0.0/8'])
  await ask('10.0.0.7', forwarded)
  expect(warnings).toEqual([])
  await ask('192.168.0.1', forwarded)
  expect(warnings).toHaveLength(1)
})

test("the warning about an untrusted proxy contains neither the proxy's public address nor the forwarded one", async () => {
  const { ask, warnings } = await serverBehind([])
  await ask('198.51.100.20', forwarded)
  expect(warnings).toHaveLength(1)
  expect(JSON.stringify(warnings)).not.toMatch(/198\.51|203\.0/)
})
