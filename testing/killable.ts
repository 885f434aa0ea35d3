import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#kit/server/db.ts'
import { startGatewaySimulator } from '#simulators/gateway/server.ts'
import { type NetworkSimulator, startNetworkSimulator } from '#simulators/network/simulator.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import type { DemoMessage } from '#demo/mailbox.ts'
import type { SimBehaviour } from '#demo/tables.ts'
import { reconcile } from './reconciliation.ts'
import { sealCard } from './cards.ts'
import { makeDatabase } from './database.ts'
import { newHome } from './home.ts'
import { freePort } from '#kit/server/free-port.ts'
import type { Place } from './journey.ts'
import { type ProductProcess, productProcess } from './product-process.ts'
import { type HeldCall, type Proxy, startProxy } from './proxy.ts'
import { until } from './until.ts'
import { newVisitor } from './visitor.ts'
import type { Ledgers } from './world.ts'

type GatewayCall = 'authorise' | 'capture' | 'cancel' | 'refund' | 'technicalCancel'
type NetworkCall = 'sim' | 'plan' | 'addon' | 'undo' | 'unplan' | 'unaddon' | 'port' | 'release'
/** Calls of the product that can be held up: at the network, placing an operation and asking how it stands. */
export type CallName = GatewayCall | NetworkCall | `read ${NetworkCall}`

/** A product in a process of its own, and simulators outside of it that outlive it. */
export type KillableWorld = Place & {
  product: ProductProcess
  /** The product's own: its operator is heard there. */
  dataDir: string
  /** One more process on the same database, which must be PostgreSQL; not started yet. */
  anotherProduct(): Promise<ProductProcess>
  network: NetworkSimulator
  hold(call: CallName, when: 'before' | 'after'): HeldCall
  newVoucher(): Promise<string>
  mailTo(address: string): Promise<DemoMessage[]>
  ledgers(): Ledgers
  /** Breaks the product's connections to its database, which must be PostgreSQL. */
  breakConnections(): Promise<void>
  /** Ends the product when nothing moves any more, and answers what its books get wrong. */
  auditAfterwards(): Promise<string[]>
  close(): Promise<void>
}

type DemoSim = { msisdn: string; sim_serial: string; behaviour: SimBehaviour }

const gatewayCalls: readonly string[] = [
  'authorise',
  'capture',
  'cancel',
  'refund',
  'technicalCancel',
] satisfies GatewayCall[]
const gatewayCall = ({ path }: { path: string }): string | null => /\/v68\/(\w+)$/.exec(path)?.[1] ?? null

/** An operation's id says what it is: `<order_code>-sim-1`, or `release-<service>`. */
function networkCall({ method, path, body }: { method: string; path: string; body: string }): string | null {
  const [, release, kind = release] =
    /externalId[=":]+(?:(release)-|[\w-]+-([a-z]+)-\d+)/.exec(method === 'GET' ? path : body) ?? []
  return kind ? `${method === 'GET' ? 'read ' : ''}${kind}` : null
}

/** Starts a world whose product is a process. On PostgreSQL when `DATABASE_URL` says so. */
export async function startKillableWorld(): Promise<KillableWorld> {
  const dataDir = newHome('fantail-kill-')
  const own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  const port = await freePort()
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
  const proxies: [Proxy, Proxy] = [
    await startProxy(gateway.url, gatewayCall),
    await startProxy(network.url, networkCall),
  ]
  const env = {
    DATA_DIR: join(dataDir, 'product'),
    LOG_LEVEL: 'error',
    LEASE_SECONDS: '1',
    CARD_GATEWAY: 'adyen',
    CARD_URL: proxies[0].url,
    CARD_API_KEY: apiKey,
    CARD_MERCHANT_ACCOUNT: 'FantailTest',
    CARD_HMAC_KEY: hmacKey,
    CARD_PUBLIC_KEY: gateway.publicKey,
    NETWORK_URL: proxies[1].url,
    NETWORK_CALLBACK_SECRET: callbackSecret,
    ...(own && { DATABASE_URL: own.url }),
  }
  const product = productProcess({ ...env, PORT: String(port) })
  const others: ProductProcess[] = []
  const passerBy = newVisitor(product.url)
  const taken = new Set<string>()
  /** Unused, and not handed out here before. */
  async function fixture<T>(
    shelf: 'sims' | 'vouchers',
    nameOf: (item: T) => string,
    isWanted: (item: T) => boolean = () => true,
  ): Promise<T> {
    const items: T[] = (await passerBy.get('/demo/api/fixtures/')).body[shelf]
    const found = items.find((item) => isWanted(item) && !taken.has(nameOf(item)))
    if (!found) throw new Error(`no more ${shelf}`)
    taken.add(nameOf(found))
    return found
  }
  const ledgers = (): Ledgers => ({
    gateway: gateway.ledger(),
    network: network.ledger().map((line) => ({ ...line, external_id: line.external_id ?? '' })),
  })
  async function audit(): Promise<string[]> {
    const books = await openDatabase(own ? { url: own.url } : { folder: env.DATA_DIR })
    try {
      return await reconcile(books.db, ledgers())
    } finally {
      await books.close()
    }
  }
  await product.start()

  return {
    product,
    dataDir: env.DATA_DIR,
    network,
    ledgers,
    async anotherProduct() {
      const other = productProcess({ ...env, PORT: String(await freePort()) })
      others.push(other)
      return other
    },
    hold: (call, when) => proxies[gatewayCalls.includes(call) ? 0 : 1].hold(call, when),
    visitor: () => newVisitor(product.url),
    async newSim(behaviour = 'ok') {
      const sim = await fixture<DemoSim>(
        'sims',
        ({ msisdn }) => msisdn,
        (each) => each.behaviour === behaviour,
      )
      return { msisdn: sim.msisdn, sim_serial: sim.sim_serial, iccid: '' }
    },
    newVoucher: async () => (await fixture<{ code: string }>('vouchers', ({ code }) => code)).code,
    card: (holderName = 'Ana Rewi') => sealCard(gateway.publicKey, Temporal.Now.instant(), holderName),
    mailTo: async (address) => (await passerBy.get(`/demo/api/messages/?to=${encodeURIComponent(address)}`)).body,
    breakConnections: async () => own?.breakConnections(),
    async auditAfterwards() {
      await until(
        async () =>
          ((await (await fetch(`${gateway.url}/_simulator/webhooks/pending`)).json()) as unknown[]).length === 0,
      )
      const end = performance.now() + 60_000
      for (;;) {
        await product.stop()
        const faults = await audit()
        if (faults.length === 0 || performance.now() > end) return faults
        // A mail that was delivered when the product died is delivered once more after a while: only then all is done.
        await product.start()
        await pause(1_000)
      }
    },
    async close() {
      await Promise.all([product, ...others].map((each) => each.kill()))
      await Promise.all([...proxies, gateway, network].map((each) => each.close()))
      await own?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
