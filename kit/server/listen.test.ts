import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError } from './config.ts'
import { listen } from './listen.ts'

const settings = { host: 'OPS_HOST', port: 'OPS_PORT' }

function server() {
  const app = fastify()
  onTestFinished(() => app.close())
  return app
}

test('listening on port 0 returns the port that the system assigned', async () => {
  expect(await listen(server(), { host: '127.0.0.1', port: 0, settings })).toBeGreaterThan(1023)
})

test('reports a port in use as a configuration fault that names the setting and says what to do', async () => {
  const port = await listen(server(), { host: '127.0.0.1', port: 0, settings })
  await expect(listen(server(), { host: '127.0.0.1', port, settings })).rejects.toEqual(
    new ConfigError([
      `OPS_PORT: cannot listen on 127.0.0.1:${port} (EADDRINUSE). ` +
        'Another process uses that port: stop it, or set another OPS_PORT.',
    ]),
  )
})

// 203.0.113.0/24 is reserved for documentation, and no host exists under the top-level domain `invalid`.
test.each([
  ['203.0.113.9', /^OPS_HOST: 203\.0\.113\.9 is not an address of this machine \(EADDRNOTAVAIL\)\.$/],
  ['no-host.invalid', /^OPS_HOST: no-host\.invalid is not an address of this machine \((?:ENOTFOUND|EAI_AGAIN)\)\.$/],
])("listening on another machine's address is a configuration fault: %s", async (host, fault) => {
  const error: unknown = await listen(server(), { host, port: 0, settings }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ faults: [expect.stringMatching(fault)] })
})
