import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startGatewaySimulator } from '#simulators/gateway/server.ts'
import { startNetworkSimulator } from '#simulators/network/simulator.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import type { Ledgers } from '#quality/support/ledgers.ts'

export type FleetSimulators = {
  env: Record<string, string>
  ledgers(): Ledgers
  isTold(): Promise<boolean>
  close(): Promise<void>
}

export async function startFleetSimulators(home: string, publicUrl: string): Promise<FleetSimulators> {
  const [apiKey, hmacKey] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  const merchantAccount = 'FantailTest'
  const gateway = await startGatewaySimulator({
    port: 0,
    dataDir: join(home, 'gateway'),
    apiKey,
    merchantAccount,
    hmacKey,
    webhookUrl: publicUrl + cardCallbackPath,
    webhookRetryDelaysMs: Array.from({ length: 1_000 }, () => 200),
  })
  const network = await startNetworkSimulator({ port: 0, dataDir: join(home, 'network'), stepMs: 25 })
  return {
    env: {
      CARD_GATEWAY: 'adyen',
      CARD_URL: gateway.url,
      CARD_API_KEY: apiKey,
      CARD_MERCHANT_ACCOUNT: merchantAccount,
      CARD_HMAC_KEY: hmacKey,
      CARD_PUBLIC_KEY: gateway.publicKey,
      NETWORK_URL: network.url,
      NETWORK_CALLBACK_SECRET: randomBytes(16).toString('hex'),
    },
    ledgers: () => ({
      gateway: gateway.ledger(),
      network: network.ledger().map((line) => ({ ...line, external_id: line.external_id ?? '' })),
    }),
    async isTold() {
      const answer = await fetch(`${gateway.url}/_simulator/webhooks/pending`)
      return ((await answer.json()) as unknown[]).length === 0
    },
    async close() {
      await Promise.all([gateway.close(), network.close()])
    },
  }
}
