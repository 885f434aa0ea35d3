import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startGatewaySimulator } from '#simulators/gateway/server.ts'
import { startNetworkSimulator } from '#simulators/network/simulator.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { answerParentProcess } from './child-process.ts'
import { startDelayingProxy } from './delaying-proxy.ts'

/**
 * A request to start provider simulators for the Fantail process on `productPort`. The simulators respond immediately unless
 * `answersAfterMs` is given.
 */
export type SimulatorsRequest = { home: string; productPort: number; answersAfterMs?: number }
export type SimulatorsEnvironment = Record<'CARD_URL' | 'CARD_PUBLIC_KEY' | 'NETWORK_URL', string> &
  Record<string, string>

answerParentProcess(
  async ({ home, productPort, answersAfterMs }: SimulatorsRequest): Promise<SimulatorsEnvironment> => {
    const [apiKey, hmacKey] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
    const merchantAccount = 'FantailBench'
    const gateway = await startGatewaySimulator({
      port: 0,
      dataDir: join(home, 'gateway'),
      apiKey,
      merchantAccount,
      hmacKey,
      webhookUrl: `http://127.0.0.1:${productPort}${cardCallbackPath}`,
      webhookRetryDelaysMs: Array.from({ length: 1_000 }, () => 200),
    })
    const network = await startNetworkSimulator({ port: 0, dataDir: join(home, 'network'), stepMs: 0 })
    const startProxyIfDelayed = (url: string): string | Promise<string> =>
      answersAfterMs ? startDelayingProxy(url, answersAfterMs) : url
    return {
      CARD_GATEWAY: 'adyen',
      CARD_URL: await startProxyIfDelayed(gateway.url),
      CARD_API_KEY: apiKey,
      CARD_MERCHANT_ACCOUNT: merchantAccount,
      CARD_HMAC_KEY: hmacKey,
      CARD_PUBLIC_KEY: gateway.publicKey,
      NETWORK_URL: await startProxyIfDelayed(network.url),
      NETWORK_CALLBACK_SECRET: randomBytes(16).toString('hex'),
    }
  },
)
