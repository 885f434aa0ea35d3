import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { freePort } from '#kit/server/free-port.ts'
import { productTerms } from '#demo/outside.ts'
import { markets } from '#kit/server/markets.ts'
import { readProvider } from '#app/provider/read-provider.ts'
import { simPack } from '#demo/stock.ts'

const root = join(import.meta.dirname, '../..')
const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** The keys that gateway, network, token server, relay and text service have given to the provider. */
export type Keys = Record<'cardApiKey' | 'hmacKey' | 'clientSecret' | 'smsApiKey' | 'mailPassword', string>
export const newKeys = (): Keys => ({
  cardApiKey: hex(16),
  hmacKey: hex(32),
  clientSecret: hex(16),
  smsApiKey: hex(16),
  mailPassword: hex(16),
})

type Service = 'gateway' | 'tokens' | 'network' | 'mail' | 'sms'
type Ports = Record<Service | 'mailControls', number>

const merchantAccount = 'FantailTrial'

/**
 * The outside world, each service a process with a ledger of its own: the gateway behind TLS and a key, the network behind OAuth2 and
 * client certificates, a relay and a text service behind logins. They have an authority of their own, and believe the portal's.
 */
export async function openOutside({
  folder,
  url,
  portalAuthority,
}: {
  folder: string
  url: string
  portalAuthority: string
}) {
  const certificates = join(folder, 'certificates')
  const makeCertificates = (...names: string[]): void => {
    const made = spawnSync(join(root, 'deploy/make-ca.sh'), [certificates, ...names], { encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`make-ca.sh: ${made.stderr}`)
  }
  makeCertificates('localhost', 'fantail')
  const file = (name: string): string => join(certificates, name)
  const ports: Ports = {
    gateway: await freePort(),
    tokens: await freePort(),
    network: await freePort(),
    mail: await freePort(),
    mailControls: await freePort(),
    sms: await freePort(),
  }
  const tokenSecret = hex(16)
  let keys = newKeys()
  const running = new Map<Service, ChildProcess>()
  const said = { gateway: '' }

  async function start(service: Service): Promise<void> {
    const child = spawn(process.execPath, [join(root, 'simulators', programs[service])], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: join(folder, service),
        PORT: String(ports[service]),
        NODE_EXTRA_CA_CERTS: portalAuthority,
        ...environmentOf(service),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.set(service, child)
    let output = ''
    const ready = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        // The gateway's second line has its key.
        if (service === 'gateway' ? output.includes('encryption key: ') : output.includes('is ready at'))
          ready.resolve()
      })
    child.once('exit', () => ready.reject(new Error(`the simulator of ${service} ended: ${output}`)))
    await ready.promise
    if (service === 'gateway') said.gateway = output
  }

  function environmentOf(service: Service): Record<string, string> {
    const tls = { TLS_CERT: file('localhost.crt'), TLS_KEY: file('localhost.key') }
    if (service === 'gateway')
      return {
        ...tls,
        API_KEY: keys.cardApiKey,
        MERCHANT_ACCOUNT: merchantAccount,
        HMAC_KEY: keys.hmacKey,
        WEBHOOK_URL: `${url}/callbacks/card/`,
      }
    if (service === 'mail')
      return {
        ...tls,
        CONTROL_PORT: String(ports.mailControls),
        LOGIN_USER: 'fantail',
        LOGIN_PASSWORD: keys.mailPassword,
      }
    if (service === 'sms')
      return { AUTH: 'header', API_KEY_HEADER: 'Authorization', API_KEY: `Bearer ${keys.smsApiKey}` }
    const mutual = { ...tls, TLS_CLIENT_CA: file('ca.crt'), TOKEN_SECRET: tokenSecret }
    if (service === 'network') return { ...mutual, AUTH: 'oauth2' }
    return { ...mutual, CLIENT_ID: 'fantail', CLIENT_SECRET: keys.clientSecret }
  }

  async function stop(service: Service): Promise<void> {
    const child = running.get(service)
    running.delete(service)
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }

  /** A control of a simulator, or its ledger. */
  async function control(service: 'gateway' | 'network', path: string, body?: unknown): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const tls = {
      ca: readFileSync(file('ca.crt')),
      cert: readFileSync(file('fantail.crt')),
      key: readFileSync(file('fantail.key')),
    }
    request(
      `https://localhost:${ports[service]}/_simulator/${path}`,
      { ...tls, method: body === undefined ? 'GET' : 'POST', headers: { 'content-type': 'application/json' } },
      async (response) => {
        const text = Buffer.concat(await response.toArray()).toString()
        if ((response.statusCode ?? 500) >= 300)
          reject(new Error(`${service} answered ${response.statusCode}: ${text}`))
        else resolve(text ? JSON.parse(text) : null)
      },
    )
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }

  mkdirSync(folder, { recursive: true })
  for (const service of ['gateway', 'tokens', 'network', 'mail', 'sms'] as const) await start(service)
  const sims = Array.from({ length: 30 }, (_, position) => simPack(position + 1, { code: 'NZ' }))
  const { catalogue } = readProvider(join(root, 'demo/providers/fantail'), markets.NZ)
  await control(
    'network',
    'sims',
    sims.map((sim) => ({ ...sim, behaviour: 'ok' })),
  )
  await control('network', 'products', productTerms(catalogue))

  return {
    sims,
    publicKey: /encryption key: (\S+)/.exec(said.gateway)?.[1] ?? '',
    merchantAccount,
    keys: () => keys,
    /** What the provider is told, by the names of docs/going-live.md. */
    told: (): Record<string, string> => ({
      CARD_URL: `https://localhost:${ports.gateway}`,
      CARD_API_KEY: keys.cardApiKey,
      CARD_MERCHANT_ACCOUNT: merchantAccount,
      CARD_HMAC_KEY: keys.hmacKey,
      CARD_PUBLIC_KEY: /encryption key: (\S+)/.exec(said.gateway)?.[1] ?? '',
      NETWORK_URL: `https://localhost:${ports.network}`,
      NETWORK_AUTH: 'oauth2',
      NETWORK_TOKEN_URL: `https://localhost:${ports.tokens}/token`,
      NETWORK_CLIENT_ID: 'fantail',
      NETWORK_CLIENT_SECRET: keys.clientSecret,
      NETWORK_TLS_CERT_GIVEN: file('fantail.crt'),
      NETWORK_TLS_KEY_GIVEN: file('fantail.key'),
      NETWORK_TLS_CA_GIVEN: file('ca.crt'),
      SMTP_URL: `smtp://fantail:${keys.mailPassword}@localhost:${ports.mail}`,
      SMS_URL: `http://127.0.0.1:${ports.sms}`,
      SMS_API_KEY: keys.smsApiKey,
      OTHER_AUTHORITIES: file('ca.crt'),
    }),
    ledgers: async () => ({
      gateway: (await control('gateway', 'ledger')) as GatewayLine[],
      network: (await control('network', 'ledger')) as { external_id: string; action: string; state: string }[],
    }),
    mails: async () =>
      (await (await fetch(`http://127.0.0.1:${ports.mailControls}/_simulator/ledger`)).json()) as Mail[],
    /** From now on these are the ones: each service whose key is another starts anew. */
    async changeKeys(next: Partial<Keys>): Promise<void> {
      keys = { ...keys, ...next }
      const services: Service[] = []
      if (next.cardApiKey || next.hmacKey) services.push('gateway')
      if (next.clientSecret) services.push('tokens')
      if (next.smsApiKey) services.push('sms')
      if (next.mailPassword) services.push('mail')
      for (const service of services) await stop(service)
      for (const service of services) await start(service)
    },
    /** The portal's client certificate is made anew by the same authority. */
    changeClientCertificate(): void {
      for (const name of ['fantail.crt', 'fantail.key']) rmSync(file(name))
      makeCertificates('fantail')
    },
    async close(): Promise<void> {
      await Promise.all(running.keys().map(stop).toArray())
    },
  }
}

export type Outside = Awaited<ReturnType<typeof openOutside>>
type GatewayLine = {
  reference: string
  psp_reference: string
  authorised: number
  captured: number
  refunded: number
  cancelled: number
}
type Mail = { to: string[]; subject: string; tls: boolean; user: string | null }

const programs: Record<Service, string> = {
  gateway: 'gateway/main.ts',
  tokens: 'access/main.ts',
  network: 'network/main.ts',
  mail: 'mail/main.ts',
  sms: 'sms/main.ts',
}
