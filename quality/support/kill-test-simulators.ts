import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startGatewaySimulator } from '#simulators/gateway/server.ts'
import { type NetworkSimulator, startNetworkSimulator } from '#simulators/network/simulator.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { sealCard } from './cards.ts'
import { type HeldRequest, startProxy } from './trapping-proxy.ts'
import type { Ledgers } from './ledgers.ts'

type GatewayCall = 'authorise' | 'capture' | 'cancel' | 'refund' | 'technicalCancel' | 'disable'
type NetworkCall = 'sim' | 'plan' | 'addon' | 'undo' | 'unplan' | 'unaddon' | 'port' | 'release' | 'cancelPort'
export type CallName = GatewayCall | NetworkCall | `read ${NetworkCall}`

type KillTestSimulators = {
  network: NetworkSimulator
  env: Record<string, string>
  hold(call: CallName, when: 'before' | 'after'): HeldRequest
  card(holderName: string, number?: string): string
  ledgers(): Ledgers
  storedCards(): Promise<number>
  setWebhooks(mode: 'hold' | 'normal'): Promise<void>
  isTold(): Promise<boolean>
  close(): Promise<void>
}

const gatewayCalls: readonly string[] = [
  'authorise',
  'capture',
  'cancel',
  'refund',
  'technicalCancel',
  'disable',
] satisfies GatewayCall[]
const parseGatewayCall = ({ path }: { path: string }): string | null => /\/v68\/(\w+)$/.exec(path)?.[1] ?? null

/**
 * Returns the name of a request to the network. An operation's id reveals its kind, as in `<order_code>-sim-1` or `release-<service>`.
 * Cancellations have their own path.
 */
function parseNetworkOperation({ method, path, body }: { method: string; path: string; body: string }): string | null {
  const isCancel = path.includes('/cancelServiceOrder')
  const [, release, kind = isCancel ? 'cancelPort' : release] =
    /externalId[=":]+(?:(release)-|[\w-]+-([a-z]+)-\d+)/.exec(method === 'GET' ? path : body) ?? []
  return kind ? `${method === 'GET' ? 'read ' : ''}${kind}` : null
}

export async function startKillTestSimulators(dataDir: string, port: number): Promise<KillTestSimulators> {
  const [apiKey, hmacKey, callbackSecret] = [
    randomBytes(16).toString('hex'),
    randomBytes(32).toString('hex'),
    randomBytes(16).toString('hex'),
  ]
  const gateway = await startGatewaySimulator({
    port: 0,
    dataDir: join(dataDir, 'gateway'),
    apiKey,
    merchantAccount: 'FantailTest',
    hmacKey,
    webhookUrl: `http://127.0.0.1:${port}${cardCallbackPath}`,
    webhookRetryDelaysMs: Array.from({ length: 1_000 }, () => 200),
  })
  const network = await startNetworkSimulator({ port: 0, dataDir: join(dataDir, 'network'), stepMs: 60 })
  const gatewayProxy = await startProxy(gateway.url, parseGatewayCall)
  const networkProxy = await startProxy(network.url, parseNetworkOperation)
  return {
    network,
    env: {
      CARD_GATEWAY: 'adyen',
      CARD_URL: gatewayProxy.url,
      CARD_API_KEY: apiKey,
      CARD_MERCHANT_ACCOUNT: 'FantailTest',
      CARD_HMAC_KEY: hmacKey,
      CARD_PUBLIC_KEY: gateway.publicKey,
      NETWORK_URL: networkProxy.url,
      NETWORK_CALLBACK_SECRET: callbackSecret,
    },
    hold: (call, when) => (gatewayCalls.includes(call) ? gatewayProxy : networkProxy).hold(call, when),
    card: (holderName, number) => sealCard(gateway.publicKey, Temporal.Now.instant(), holderName, number),
    ledgers: () => ({
      gateway: gateway.ledger(),
      network: network.ledger().map((line) => ({ ...line, external_id: line.external_id ?? '' })),
    }),
    async storedCards() {
      const answer = await fetch(`${gateway.url}/_simulator/cards`)
      return ((await answer.json()) as unknown[]).length
    },
    async setWebhooks(mode) {
      await fetch(`${gateway.url}/_simulator/webhooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ mode, release: mode === 'normal' }),
      })
    },
    async isTold() {
      const answer = await fetch(`${gateway.url}/_simulator/webhooks/pending`)
      return ((await answer.json()) as unknown[]).length === 0
    },
    async close() {
      await Promise.all([gatewayProxy, networkProxy, gateway, network].map((each) => each.close()))
    },
  }
}
