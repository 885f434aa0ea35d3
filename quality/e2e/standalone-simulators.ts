import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type GatewayOptions, startGatewaySimulator } from '#simulators/gateway/server.ts'
import { startNetworkSimulator } from '#simulators/network/simulator.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { findFreePort } from '#kit/server/free-port.ts'

type StandaloneSimulators = {
  env(): Record<string, string>
  stopNetwork(): Promise<void>
  startNetwork(): Promise<void>
  stopGateway(): Promise<void>
  startGateway(): Promise<void>
}

/** Starts both simulators for a test file. Call this before `usePortal`, so that they start before the test world and stop after it. */
export function useStandaloneSimulators(): StandaloneSimulators {
  const dataDir = mkdtempSync(join(tmpdir(), 'fantail-outside-'))
  let env: Record<string, string> | undefined
  let gatewayOptions: GatewayOptions | undefined
  let gateway: Awaited<ReturnType<typeof startGatewaySimulator>> | undefined
  let network: Awaited<ReturnType<typeof startNetworkSimulator>> | undefined
  let networkPort = 0

  async function startNetwork(): Promise<void> {
    network = await startNetworkSimulator({
      port: networkPort,
      dataDir: join(dataDir, 'network'),
      stepMs: 30,
      portDelayMs: 86_400_000,
    })
  }

  beforeAll(async () => {
    networkPort = await findFreePort()
    const port = await findFreePort()
    const [apiKey, hmacKey] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
    const merchantAccount = 'FantailTest'
    const webhookUrl = `http://127.0.0.1:${port}${cardCallbackPath}`
    gatewayOptions = {
      port: await findFreePort(),
      dataDir: join(dataDir, 'gateway'),
      apiKey,
      merchantAccount,
      hmacKey,
      webhookUrl,
    }
    gateway = await startGatewaySimulator(gatewayOptions)
    await startNetwork()
    env = {
      PORT: String(port),
      CARD_GATEWAY: 'adyen',
      CARD_URL: gateway.url,
      CARD_API_KEY: apiKey,
      CARD_MERCHANT_ACCOUNT: merchantAccount,
      CARD_HMAC_KEY: hmacKey,
      CARD_PUBLIC_KEY: gateway.publicKey,
      NETWORK_URL: `http://127.0.0.1:${networkPort}`,
      NETWORK_CALLBACK_SECRET: randomBytes(16).toString('hex'),
    }
  })
  afterAll(async () => {
    await Promise.all([gateway?.close(), network?.close()])
    rmSync(dataDir, { recursive: true, force: true })
  })

  return {
    env() {
      if (!env) throw new Error('the simulators have not started')
      return env
    },
    stopNetwork: async () => network?.close(),
    startNetwork,
    stopGateway: async () => gateway?.close(),
    async startGateway() {
      if (!gatewayOptions) throw new Error('the simulators have not started')
      gateway = await startGatewaySimulator(gatewayOptions)
    },
  }
}
