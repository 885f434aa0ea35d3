import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type GatewaySimulator, startGatewaySimulator } from '#simulators/gateway/server.ts'
import { type MailSimulator, startMailSimulator } from '#simulators/mail/simulator.ts'
import { type NetworkSimulator, startNetworkSimulator } from '#simulators/network/simulator.ts'
import { type SmsSimulator, startSmsSimulator } from '#simulators/sms/simulator.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { type OpenProviderProxy, startProviderProxy, startMailProxy } from './provider-proxies.ts'

export type FaultProviders = {
  gateway: GatewaySimulator
  network: NetworkSimulator
  mail: MailSimulator
  texts: SmsSimulator
  doors: Record<'gateway' | 'network' | 'mail' | 'texts', OpenProviderProxy>
  env: Record<string, string>
  close(): Promise<void>
}

const aKey = (bytes: number): string => randomBytes(bytes).toString('hex')

export async function startFaultProviders(home: string, publicUrl: string): Promise<FaultProviders> {
  const account = { apiKey: aKey(16), merchantAccount: 'FantailTest', hmacKey: aKey(32) }
  const [gateway, network, mail, texts] = await Promise.all([
    startGatewaySimulator({
      port: 0,
      dataDir: join(home, 'gateway'),
      ...account,
      webhookUrl: publicUrl + cardCallbackPath,
      webhookRetryDelaysMs: Array.from({ length: 10_000 }, () => 200),
    }),
    startNetworkSimulator({ port: 0, dataDir: join(home, 'network'), stepMs: 60, portDelayMs: 3_000 }),
    startMailSimulator({ port: 0, dataDir: join(home, 'mail') }),
    startSmsSimulator({ port: 0, dataDir: join(home, 'texts') }),
  ])
  const doors = {
    gateway: await startProviderProxy(gateway.url),
    network: await startProviderProxy(network.url),
    mail: await startMailProxy(mail),
    texts: await startProviderProxy(texts.url),
  }
  return {
    gateway,
    network,
    mail,
    texts,
    doors,
    env: {
      CARD_GATEWAY: 'adyen',
      CARD_URL: doors.gateway.url,
      CARD_API_KEY: account.apiKey,
      CARD_MERCHANT_ACCOUNT: account.merchantAccount,
      CARD_HMAC_KEY: account.hmacKey,
      CARD_PUBLIC_KEY: gateway.publicKey,
      NETWORK_URL: doors.network.url,
      NETWORK_CALLBACK_SECRET: aKey(16),
      SMTP_URL: doors.mail.url,
      MAIL_FROM: 'Fantail <hello@fantail.example>',
      SMS_URL: doors.texts.url,
      SMS_SENDER: 'Fantail',
      SMS_AUTH: 'none',
    },
    close: async () =>
      void (await Promise.all([...Object.values(doors), gateway, network, mail, texts].map((each) => each.close()))),
  }
}
