import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, createClock } from '#kit/server/clock.ts'
import { noCredentials } from '#kit/server/config/access.ts'
import { readConfig } from '#kit/server/config.ts'
import { type Database, type Db, openDatabase } from '#kit/server/db.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { migrate } from '#kit/server/migrate.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { createSmtpSender } from '#providers/mail/smtp.ts'
import { createSmsSender } from '#providers/sms/tmf681.ts'
import { createCarrierAccess } from '#providers/tmf/access.ts'
import { applyCatalogueAtStartup } from '#features/plans/server/catalogue.ts'
import { importDonors } from '#features/porting/server/porting.store.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import { startProduct } from '#app/product.ts'
import { connectSimulators } from '#demo/demo-simulators.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { createDataFolder } from './data-folder.ts'
import { startKillTestSimulators } from './kill-test-simulators.ts'
import { newMsisdn } from './numbers.ts'
import { fantailProvider } from './provider.ts'
import { startSmtpRelay } from './smtp-relay.ts'
import { newVisitor } from './visitor.ts'

async function startCarrier() {
  const receivedBodies: string[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    receivedBodies.push(body)
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ state: 'acknowledged' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, received: receivedBodies, stop: () => void server.close() }
}

const smsAccount = { access: createCarrierAccess(noCredentials), sender: 'Fantail', timeoutMs: 5_000 }

const removeTrailingSlash = (url: string): string => url.replace(/\/$/, '')

async function createFilledDatabase(clock: Clock): Promise<Database> {
  const database = await openDatabase({ folder: null })
  await migrate(database, join(import.meta.dirname, '../../db/migrations'))
  await importDonors(database.db, fantailProvider.donors)
  await applyCatalogueAtStartup({ db: database.db, clock }, fantailProvider.catalogue)
  return database
}

async function createStockedSim(db: Db, network: NetworkSimulator) {
  const msisdn = newMsisdn('NZ')
  const iccid = `8964032${msisdn.slice(-9)}${String(Date.now()).slice(-4)}`
  network.seed({ sims: [{ iccid, msisdn, behaviour: 'ok' }] })
  await importSims(db, [{ iccid, msisdn }])
  return { msisdn, sim_serial: iccid.slice(-4), iccid }
}

export async function startOutageTestWorld(thresholds: Partial<Thresholds>) {
  const home = createDataFolder('fantail-outages-')
  const port = await findFreePort()
  const simulators = await startKillTestSimulators(home, port)
  const [relay, carrier] = await Promise.all([startSmtpRelay(), startCarrier()])
  const lines = {
    card_gateway: await startDatabaseProxy(simulators.env['CARD_URL'] ?? ''),
    mobile_network: await startDatabaseProxy(simulators.env['NETWORK_URL'] ?? ''),
    mail: await startDatabaseProxy(relay.url),
    sms: await startDatabaseProxy(carrier.url),
  }
  const read = readConfig({
    ...simulators.env,
    CARD_URL: removeTrailingSlash(lines.card_gateway.url),
    NETWORK_URL: removeTrailingSlash(lines.mobile_network.url),
    PORT: String(port),
    DATA_DIR: home,
    LOG_LEVEL: 'silent',
    SECRET_KEY: randomBytes(32).toString('hex'),
  })
  const { card, network, secretKey } = read
  if (!card || !network || !secretKey) throw new Error('the configuration is not whole')
  const clock = createClock()
  const database = await createFilledDatabase(clock)
  await connectSimulators(card, { ...network, baseUrl: simulators.network.url }).announceProducts(
    fantailProvider.catalogue,
  )
  const url = `http://localhost:${port}`
  const product = await startProduct({
    config: { ...read, port, publicUrl: url, secretKey, card, network },
    database,
    clock,
    thresholds,
    provider: fantailProvider,
    pages: 'none',
    readCatalogue: () => fantailProvider.catalogue,
    mail: { sender: createSmtpSender({ url: lines.mail.url, requireTls: false }), from: 'hello@fantail.example' },
    sms: createSmsSender({ ...smsAccount, baseUrl: lines.sms.url }),
  })
  return {
    url,
    lines,
    relay,
    carrier,
    network: simulators.network,
    deps: product.deps,
    db: database.db,
    visitor: () => newVisitor(url),
    card: (holder = 'Ana Rewi', number?: string) => simulators.card(holder, number),
    ledgers: async () => simulators.ledgers(),
    newSim: () => createStockedSim(database.db, simulators.network),
    async close() {
      await product.close()
      await Promise.all([...Object.values(lines).map((line) => line.cut()), simulators.close(), relay.stop()])
      carrier.stop()
      await database.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
