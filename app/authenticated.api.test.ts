import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import { readConfig } from '#kit/server/config.ts'
import { type Database, openDatabase, transact } from '#kit/server/db.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { migrate } from '#kit/server/migrate.ts'
import { createSmsSender } from '#providers/sms/tmf681.ts'
import { createCarrierAccess } from '#providers/tmf/access.ts'
import { markEmailVerified } from '#features/auth/server/users.store.ts'
import { applyCatalogueAtStartup } from '#features/plans/server/catalogue.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import { importVouchers } from '#features/vouchers/server/vouchers.store.ts'
import { requireCredentials } from '#simulators/access/require-credentials.ts'
import { createServer } from '#simulators/access/server.ts'
import { startTokenServer, type TokenServer } from '#simulators/access/token-server.ts'
import { type NetworkSimulator, startNetworkSimulator } from '#simulators/network/simulator.ts'
import { certificateFile, certificates } from '#quality/support/certificates.ts'
import { logInAs } from '#quality/support/customer.ts'
import { activate, password } from '#quality/support/activation-journey.ts'
import { productionSettings } from '#quality/support/production-settings.ts'
import { fantailProvider, fantailFolder } from '#quality/support/provider.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newVisitor } from '#quality/support/visitor.ts'
import { type RunningProduct, startProduct } from './product.ts'

const tokenSecret = 'shared'
const access = {
  demand: { kind: 'oauth2', tokenSecret },
  tls: { ...certificates.server, clientCa: certificates.clientCa },
} as const
const dir = mkdtempSync(join(tmpdir(), 'authenticated-'))
const carrier = createServer(access.tls)
const texts: { receiver: { phoneNumber: string }[] }[] = []

let tokens: TokenServer
let network: NetworkSimulator
let database: Database
let product: RunningProduct

beforeAll(async () => {
  const client = { clientId: 'fantail', clientSecret: 'secret' }
  tokens = await startTokenServer({ port: 0, dataDir: join(dir, 'tokens'), ...client, tokenSecret, tls: access.tls })
  network = await startNetworkSimulator({ port: 0, dataDir: join(dir, 'network'), stepMs: 25, access })
  requireCredentials(carrier, access)
  carrier.post('/tmf-api/communicationManagement/v4/communicationMessage', async (request, reply) => {
    texts.push(request.body as (typeof texts)[number])
    return reply.code(201).send({ id: String(texts.length), state: 'inProgress' })
  })
  const smsUrl = await carrier.listen({ port: 0, host: '127.0.0.1' })
  database = await openDatabase({ folder: null })
  await migrate(database, join(import.meta.dirname, '../db/migrations'))
  product = await startOn(await findFreePort(), smsUrl)
})
afterAll(async () => {
  await product?.close()
  await database?.close()
  await Promise.all([tokens?.close(), network?.close(), carrier.close()])
  rmSync(dir, { recursive: true, force: true })
})

const settingsOf = (service: string): Record<string, string> => ({
  [`${service}_AUTH`]: 'oauth2',
  [`${service}_TOKEN_URL`]: tokens.tokenUrl,
  [`${service}_CLIENT_ID`]: 'fantail',
  [`${service}_CLIENT_SECRET`]: 'secret',
  [`${service}_TLS_CERT`]: certificateFile('client.crt'),
  [`${service}_TLS_KEY`]: certificateFile('client.key'),
  [`${service}_TLS_CA`]: certificateFile('localhost.crt'),
})

async function startOn(port: number, smsUrl: string): Promise<RunningProduct> {
  const {
    secretKey,
    card,
    network: network_,
    sms,
    ...config
  } = readConfig({
    ...productionSettings,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(dir, 'product'),
    PROVIDER_DIR: fantailFolder,
    LOG_LEVEL: 'silent',
    NETWORK_URL: network.url,
    ...settingsOf('NETWORK'),
    SMS_URL: smsUrl,
    SMS_API_KEY: '',
    ...settingsOf('SMS'),
  })
  if (!secretKey || !card || !network_ || !sms) throw new Error('the configuration is not whole')
  const clock = createClock()
  await applyCatalogueAtStartup({ db: database.db, clock }, fantailProvider.catalogue)
  return startProduct({
    config: { ...config, sms, port, publicUrl: `http://127.0.0.1:${port}`, secretKey, card, network: network_ },
    database,
    clock,
    mail: { sender: { send: async () => 'sent' }, from: 'hello@my.example.nz' },
    sms: createSmsSender({ ...sms, access: createCarrierAccess(sms.access), timeoutMs: 15_000 }),
    provider: fantailProvider,
    pages: 'none',
    readCatalogue: () => fantailProvider.catalogue,
  })
}

test('with OAuth2 and client certificates, a SIM is activated and an SMS is sent using one token per service', async () => {
  const { db, secrets, clock } = product.deps
  const sim = { msisdn: '+64215550142', iccid: '8964010000000000011', sim_serial: '0011' }
  network.seed({ sims: [{ iccid: sim.iccid, msisdn: sim.msisdn.slice(1) }] })
  await importSims(db, [{ iccid: sim.iccid, msisdn: sim.msisdn }])
  const voucher = randomBytes(6).toString('hex').toUpperCase()
  const expiresAt = clock.now().add({ hours: 24 })
  await importVouchers(db, secrets, [{ code: voucher, productId: 'plan-30-5gb', expiresAt }])
  const place = {
    visitor: () => newVisitor(product.url),
    newSim: async () => sim,
    card: () => '',
  }

  const { email, done } = await activate(place, { sim, voucher })
  expect(done.state).toBe('SUCCESSFUL')
  expect(network.ledger().map(({ state }) => state)).toEqual(network.ledger().map(() => 'completed'))
  expect(network.ledger().length).toBeGreaterThan(0)

  const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await transact(db, (trx) => markEmailVerified(trx, id, email, clock.now()))
  const customer = await logInAs(place, { email, password })
  const asked = await customer.post('/api/account/update_email/', { new_email: 'other@example.nz' })
  expect(asked).toMatchObject({ status: 200 })
  await pollUntil(async () => texts.length > 0)
  expect(texts[0]?.receiver).toEqual([{ phoneNumber: sim.msisdn }])
  expect(tokens.ledger()).toHaveLength(2)
})
