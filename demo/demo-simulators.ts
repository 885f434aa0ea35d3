import { join } from 'node:path'
import type { CardConfig, NetworkConfig } from '#kit/server/config/service-configs.ts'
import { noCredentials } from '#kit/server/config/access.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { startGatewaySimulator } from '#simulators/gateway/server.ts'
import { startNetworkSimulator } from '#simulators/network/simulator.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { declinedPortNumber } from './story.ts'
import { numberNeedingPortCode, demoPorts } from './fixtures.ts'
import type { DonorTextMessage } from './mailbox.ts'
import type { SimAnnouncer } from './stock.ts'

export type DemoSimulators = {
  card: CardConfig
  network: NetworkConfig
  announceSims: SimAnnouncer
  announcePorts(market: 'NZ' | 'AU'): Promise<void>
  announceProducts(catalogue: Catalogue): Promise<void>
  announcePort(msisdn: string): Promise<void>
  playPort(port: { msisdn: string; state: string }): Promise<boolean>
  refuseNextCapture(): Promise<void>
  tellDispute(told: { reference: string; event: string; due: string; reason: string }): Promise<void>
  setClock(offsetMs: number): Promise<void>
  ledgers(): Promise<object>
  donorTexts(): Promise<DonorTextMessage[]>
  close(): Promise<void>
}

export const demoMerchant = (secrets: Secrets) => ({
  apiKey: secrets.hash('demo', 'gateway api key'),
  hmacKey: secrets.hash('demo', 'gateway hmac key'),
  merchantAccount: 'FantailDemo',
})

export async function startSimulators(
  dataDir: string,
  secrets: Secrets,
  { productPort, zone, stepMs }: { productPort: number; zone: string; stepMs: number },
): Promise<DemoSimulators> {
  const { apiKey, hmacKey, merchantAccount } = demoMerchant(secrets)
  const [gateway, network] = await Promise.all([
    startGatewaySimulator({
      port: 0,
      dataDir: join(dataDir, 'gateway'),
      apiKey,
      merchantAccount,
      hmacKey,
      webhookUrl: `http://127.0.0.1:${productPort}${cardCallbackPath}`,
    }),
    startNetworkSimulator({ port: 0, dataDir: join(dataDir, 'network'), zone, stepMs }),
  ])
  const card = {
    gateway: 'adyen',
    baseUrl: gateway.url,
    apiKey,
    merchantAccount,
    hmacKey,
    publicKey: gateway.publicKey,
  }
  const connectedSimulators = connectSimulators(card, {
    baseUrl: network.url,
    callbackSecret: secrets.hash('demo', 'network callback').slice(0, 32),
    access: noCredentials,
  })
  return {
    ...connectedSimulators,
    close: async () => {
      await Promise.all([gateway.close(), network.close()])
    },
  }
}

/**
 * Connects to simulators that run in other processes. Crash tests need such simulators, because the simulators must keep running when the
 * application is killed.
 */
export function connectSimulators(card: CardConfig, network: NetworkConfig): DemoSimulators {
  const send = async (method: string, base: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${base}/_simulator/${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`the simulator answered ${response.status} to ${path}`)
    return response
  }
  return {
    card,
    network,
    announceSims: async (sims) =>
      void (await send(
        'POST',
        network.baseUrl,
        'sims',
        sims.map(({ iccid, msisdn, behaviour }) => ({ iccid, msisdn, behaviour })),
      )),
    announceProducts: async (catalogue) =>
      void (await send('POST', network.baseUrl, 'products', productTerms(catalogue))),
    announcePorts: async (market) =>
      void (await send('POST', network.baseUrl, 'ports', [
        ...demoPorts[market].map((port) => ({
          ...port,
          behaviour: port.msisdn === numberNeedingPortCode ? 'asks_code' : port.behaviour,
        })),
        { msisdn: declinedPortNumber[market], behaviour: 'fails' },
      ])),
    announcePort: async (msisdn) =>
      void (await send('POST', network.baseUrl, 'ports', [{ msisdn, behaviour: 'played' }])),
    playPort: (port) =>
      send('POST', network.baseUrl, 'ports/play', port).then(
        () => true,
        () => false,
      ),
    refuseNextCapture: async () =>
      void (await send('POST', card.baseUrl, 'failures', { operation: 'capture', kind: 'refuse', times: 1 })),
    tellDispute: async (told) => void (await send('POST', card.baseUrl, 'disputes', told)),
    setClock: async (offsetMs) => {
      await Promise.all(
        [card.baseUrl, network.baseUrl].map((base) => send('PUT', base, 'clock', { offset_ms: offsetMs })),
      )
    },
    ledgers: async () => {
      const [gateway, lines] = await Promise.all(
        [card.baseUrl, network.baseUrl].map(async (base) => (await send('GET', base, 'ledger')).json()),
      )
      return { gateway, network: lines }
    },
    donorTexts: async () => (await (await send('GET', network.baseUrl, 'ports/texts')).json()) as DonorTextMessage[],
    close: async () => {},
  }
}

export function productTerms({ products }: Catalogue) {
  return products.flatMap(
    ({ sku, product_type: type, length_days: lengthDays, data_gb: gb, voice_mins: voiceMinutes, txt_sms: messages }) =>
      sku
        ? [
            {
              sku,
              kind: type === 1 ? 'plan' : 'addon',
              lengthDays,
              dataMb: Math.round(gb * 1000),
              voiceMinutes,
              messages,
            },
          ]
        : [],
  )
}
