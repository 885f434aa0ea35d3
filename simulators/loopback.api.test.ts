import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { sendRawRequest } from '#quality/support/raw-http.ts'
import { startGatewaySimulator } from './gateway/server.ts'
import { startMailSimulator } from './mail/simulator.ts'
import { startNetworkSimulator } from './network/simulator.ts'
import { startSmsSimulator } from './sms/simulator.ts'

const dataDir = createDataFolder()
let simulators: { url: string; close(): Promise<void> }[] = []

beforeAll(async () => {
  simulators = await Promise.all([
    startGatewaySimulator({
      port: 0,
      dataDir: join(dataDir, 'gateway'),
      apiKey: 'key',
      merchantAccount: 'TestMerchant',
      hmacKey: 'ab'.repeat(32),
    }),
    startNetworkSimulator({ port: 0, dataDir: join(dataDir, 'network') }),
    startSmsSimulator({ port: 0, dataDir: join(dataDir, 'sms') }),
    // For the mail simulator, only the control port is tested: SMTP has no Host header to check.
    startMailSimulator({ port: 0, dataDir: join(dataDir, 'mail') }).then((mail) => ({ ...mail, url: mail.controlUrl })),
  ])
})
afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.close()))
  rmSync(dataDir, { recursive: true, force: true })
})

test.each(['/_simulator/ledger', '/_simulator/failures', '/nowhere'])(
  'every simulator rejects a request for %s with a foreign host name',
  async (path) => {
    for (const { url } of simulators) {
      for (const host of [
        'evil.example',
        `evil.example:${new URL(url).port}`,
        'localhost.evil.example',
        '127.0.0.1.evil.example',
      ]) {
        expect((await sendRawRequest(url, { path, headers: { host } })).status).toBe(421)
      }
      for (const host of ['localhost', `127.0.0.1:${new URL(url).port}`])
        expect((await sendRawRequest(url, { path, headers: { host } })).status).not.toBe(421)
    }
  },
)
