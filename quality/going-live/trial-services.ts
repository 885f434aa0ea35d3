import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '#kit/server/free-port.ts'
import { markets } from '#kit/server/markets.ts'
import { productTerms } from '#demo/demo-simulators.ts'
import { simPack } from '#demo/stock.ts'
import { readProvider } from '#app/provider/read-provider.ts'
import { callSimulator, type TlsCredentials } from './call-simulator.ts'
import type { ProviderVariable } from './guide-variables.ts'
import { createServices, type Service, serviceNames } from './trial-processes.ts'

const root = join(import.meta.dirname, '../..')
const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

export type Keys = Record<'cardApiKey' | 'hmacKey' | 'clientSecret' | 'smsApiKey' | 'mailPassword', string>
export const generateKeys = (): Keys => ({
  cardApiKey: hex(16),
  hmacKey: hex(32),
  clientSecret: hex(16),
  smsApiKey: hex(16),
  mailPassword: hex(16),
})

type Ports = Record<Service | 'mailControls', number>
type World = { folder: string; url: string; portalAuthority: string; ports: Ports; tokenSecret: string; keys: Keys }

export type TrialServices = {
  sims: { iccid: string; msisdn: string }[]
  publicKey: string
  merchantAccount: string
  keys(): Keys
  told(): Record<ProviderVariable, string>
  ledgers(): Promise<{ gateway: GatewayLedgerLine[]; network: NetworkLedgerLine[] }>
  mails(): Promise<Mail[]>
  /** Returns the sources of the emails that were sent to an address, oldest first. */
  mailsTo(address: string): Promise<string[]>
  changeKeys(next: Partial<Keys>): Promise<void>
  changeClientCertificate(): void
  close(): Promise<void>
}
type GatewayLedgerLine = {
  reference: string
  psp_reference: string
  authorised: number
  captured: number
  refunded: number
}
type NetworkLedgerLine = { external_id: string; action: string; state: string }
type Mail = { id: string; to: string[]; tls: boolean; user: string | null }

const merchantAccount = 'FantailTrial'

/**
 * Starts the external services, each in a separate process with its own ledger: the gateway, with TLS and an API key; the network, with
 * OAuth2 and client certificates; and a mail relay and a text message service, each with a login. The services use their own certificate
 * authority, and they trust the portal's.
 */
export async function startTrialServices(place: {
  folder: string
  url: string
  portalAuthority: string
  providerFolder: string
}): Promise<TrialServices> {
  mkdirSync(place.folder, { recursive: true })
  const world: World = { ...place, ports: await findFreePorts(), tokenSecret: hex(16), keys: generateKeys() }
  makeCertificates(world, 'localhost', 'fantail')
  const serviceProcesses = createServices((service) => buildEnvironment(world, service))
  const said = new Map<Service, string>()
  for (const service of serviceNames) said.set(service, await serviceProcesses.start(service))
  const ask = (service: 'gateway' | 'network', path: string, body?: unknown) =>
    callSimulator(`https://localhost:${world.ports[service]}/_simulator/${path}`, buildCredentials(world), body)

  const readMailSimulator = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${world.ports.mailControls}/_simulator/${path}`)).text()

  const sims = Array.from({ length: 30 }, (_, position) => simPack(position + 1, { code: 'NZ' }))
  const { catalogue } = readProvider(place.providerFolder, markets.NZ)
  await ask(
    'network',
    'sims',
    sims.map((sim) => ({ ...sim, behaviour: 'ok' })),
  )
  await ask('network', 'products', productTerms(catalogue))
  const publicKey = /encryption key: (\S+)/.exec(said.get('gateway') ?? '')?.[1] ?? ''
  return {
    sims,
    publicKey,
    merchantAccount,
    keys: () => world.keys,
    told: () => buildPortalSettings(world, publicKey),
    ledgers: async () => ({
      gateway: (await ask('gateway', 'ledger')) as GatewayLedgerLine[],
      network: (await ask('network', 'ledger')) as NetworkLedgerLine[],
    }),
    mails: async () => JSON.parse(await readMailSimulator('ledger')) as Mail[],
    async mailsTo(address) {
      const mails = (JSON.parse(await readMailSimulator('ledger')) as Mail[]).filter(({ to }) => to.includes(address))
      return Promise.all(mails.map(({ id }) => readMailSimulator(`messages/${id}`)))
    },
    async changeKeys(next) {
      world.keys = { ...world.keys, ...next }
      const whose: [keyof Keys, Service][] = [
        ['cardApiKey', 'gateway'],
        ['hmacKey', 'gateway'],
        ['clientSecret', 'tokens'],
        ['smsApiKey', 'sms'],
        ['mailPassword', 'mail'],
      ]
      await serviceProcesses.restart([...new Set(whose.flatMap(([key, service]) => (next[key] ? [service] : [])))])
    },
    changeClientCertificate() {
      for (const name of ['fantail.crt', 'fantail.key']) rmSync(getCertificatePath(world, name))
      makeCertificates(world, 'fantail')
    },
    close: serviceProcesses.stopAll,
  }
}

const findFreePorts = async (): Promise<Ports> => ({
  gateway: await findFreePort(),
  tokens: await findFreePort(),
  network: await findFreePort(),
  mail: await findFreePort(),
  mailControls: await findFreePort(),
  sms: await findFreePort(),
})

const getCertificatePath = ({ folder }: World, name: string): string => join(folder, 'certificates', name)

function makeCertificates(world: World, ...names: string[]): void {
  const made = spawnSync(join(root, 'deploy/make-ca.sh'), [getCertificatePath(world, ''), ...names], {
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`make-ca.sh: ${made.stderr}`)
}

const buildCredentials = (world: World): TlsCredentials => ({
  ca: readFileSync(getCertificatePath(world, 'ca.crt')),
  cert: readFileSync(getCertificatePath(world, 'fantail.crt')),
  key: readFileSync(getCertificatePath(world, 'fantail.key')),
})

function buildEnvironment(world: World, service: Service): Record<string, string> {
  const { folder, keys, ports, tokenSecret, url, portalAuthority } = world
  const own = {
    DATA_DIR: join(folder, service),
    PORT: String(ports[service]),
    NODE_EXTRA_CA_CERTS: portalAuthority,
    TLS_CERT: getCertificatePath(world, 'localhost.crt'),
    TLS_KEY: getCertificatePath(world, 'localhost.key'),
  }
  const clients = { TLS_CLIENT_CA: getCertificatePath(world, 'ca.crt'), TOKEN_SECRET: tokenSecret }
  const environmentByService: Record<Service, Record<string, string>> = {
    gateway: {
      API_KEY: keys.cardApiKey,
      MERCHANT_ACCOUNT: merchantAccount,
      HMAC_KEY: keys.hmacKey,
      WEBHOOK_URL: `${url}/callbacks/card/`,
    },
    tokens: { ...clients, CLIENT_ID: 'fantail', CLIENT_SECRET: keys.clientSecret },
    network: { ...clients, AUTH: 'oauth2' },
    mail: { CONTROL_PORT: String(ports.mailControls), LOGIN_USER: 'fantail', LOGIN_PASSWORD: keys.mailPassword },
    sms: { AUTH: 'header', API_KEY_HEADER: 'Authorization', API_KEY: `Bearer ${keys.smsApiKey}` },
  }
  return { ...own, ...environmentByService[service] }
}

function buildPortalSettings(world: World, publicKey: string): Record<ProviderVariable, string> {
  const { keys, ports } = world
  return {
    CARD_URL: `https://localhost:${ports.gateway}`,
    CARD_API_KEY: keys.cardApiKey,
    CARD_MERCHANT_ACCOUNT: merchantAccount,
    CARD_HMAC_KEY: keys.hmacKey,
    CARD_PUBLIC_KEY: publicKey,
    NETWORK_URL: `https://localhost:${ports.network}`,
    NETWORK_AUTH: 'oauth2',
    NETWORK_TOKEN_URL: `https://localhost:${ports.tokens}/token`,
    NETWORK_CLIENT_ID: 'fantail',
    NETWORK_CLIENT_SECRET: keys.clientSecret,
    NETWORK_TLS_CERT_GIVEN: getCertificatePath(world, 'fantail.crt'),
    NETWORK_TLS_KEY_GIVEN: getCertificatePath(world, 'fantail.key'),
    NETWORK_TLS_CA_GIVEN: getCertificatePath(world, 'ca.crt'),
    SMTP_URL: `smtp://fantail:${keys.mailPassword}@localhost:${ports.mail}`,
    SMS_URL: `https://localhost:${ports.sms}`,
    SMS_API_KEY: keys.smsApiKey,
    OTHER_AUTHORITIES: getCertificatePath(world, 'ca.crt'),
  }
}
