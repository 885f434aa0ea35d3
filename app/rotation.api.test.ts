/* @module-tag slow */
import { randomBytes, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import { readConfig } from '#kit/server/config.ts'
import { type Database, openDatabase, transact } from '#kit/server/db.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { migrate } from '#kit/server/migrate.ts'
import type { Mail } from '#providers/mail/mail.port.ts'
import { buildNotificationBody } from '#simulators/gateway/notification.ts'
import { insertUser, markEmailVerified } from '#features/auth/server/users.store.ts'
import { importCatalogue } from '#features/plans/server/plans.store.ts'
import { importVouchers } from '#features/vouchers/server/vouchers.store.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { type RunningProduct, startProduct } from './product.ts'

const dataDir = createDataFolder()
const secrets = Array.from({ length: 4 }, () => randomBytes(32).toString('hex')) as [string, string, string, string]
const hmacKeys = Array.from({ length: 3 }, () => randomBytes(32).toString('hex')) as [string, string, string]
const password = 'korimako1'
let own: Awaited<ReturnType<typeof makeDatabase>> | null = null
let database: Database
let port: number
let product: RunningProduct | null = null
const clock = createClock()
const relay = { isDown: true, delivered: [] as Mail[] }

beforeAll(async () => {
  own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  database = await openDatabase(own ? { url: own.url } : { folder: dataDir })
  await migrate(database, join(import.meta.dirname, '../db/migrations'))
  await transact(database.db, (trx) => importCatalogue(trx, fantailProvider.catalogue))
})
afterAll(async () => {
  await product?.close()
  await database.close()
  await own?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function restart(env: Record<string, string>, role: 'all' | 'web' = 'all'): Promise<RunningProduct> {
  await product?.close()
  product = null
  // Each process gets its own port, because connections to the previous process may still be open.
  port = await findFreePort()
  const nowhere = 'http://127.0.0.1:9'
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    CARD_GATEWAY: 'adyen',
    CARD_URL: nowhere,
    CARD_API_KEY: 'key',
    CARD_MERCHANT_ACCOUNT: 'Fantail',
    CARD_PUBLIC_KEY: '10001|00',
    CARD_HMAC_KEY: hmacKeys[0],
    NETWORK_URL: nowhere,
    NETWORK_CALLBACK_SECRET: randomBytes(16).toString('hex'),
    ...env,
  })
  const { card, network, secretKey } = config
  if (!card || !network || !secretKey) throw new Error('the configuration is not whole')
  product = await startProduct({
    config: {
      ...config,
      mode: 'production',
      role,
      port,
      publicUrl: `http://localhost:${port}`,
      card,
      network,
      secretKey,
    },
    database,
    clock,
    provider: fantailProvider,
    readCatalogue: () => fantailProvider.catalogue,
    pages: 'none',
    mail: {
      from: 'hello@example.nz',
      sender: {
        async send(mail) {
          if (relay.isDown) throw new Error('no connection')
          relay.delivered.push(mail)
          return 'sent'
        },
      },
    },
    sms: { send: async () => 'sent' },
  })
  return product
}

async function newAccount({ deps }: RunningProduct): Promise<{ email: string; id: string }> {
  const email = newEmail()
  const account = { email, first_name: 'Ana', last_name: 'Rewi', marketing_consent: false }
  const password_hash = await deps.passwords.hash(password, email)
  const id = await transact(deps.db, async (trx) => {
    const made = await insertUser(trx, { ...account, password_hash }, clock.now())
    await markEmailVerified(trx, made, email, clock.now())
    return made
  })
  return { email, id }
}

function again(visitor: Visitor): Visitor {
  const same = newVisitor(`http://localhost:${port}`)
  for (const [name, value] of visitor.cookies()) same.setCookie(name, value)
  return same
}

async function signedIn(email: string): Promise<Visitor> {
  const visitor = newVisitor(`http://localhost:${port}`)
  expect(await visitor.post('/api/account/login/', { username: email, password })).toMatchObject({ status: 200 })
  return visitor
}

const whoIs = async (visitor: Visitor): Promise<unknown> => (await visitor.get('/api/account/')).body.user?.email

async function newCode({ deps }: RunningProduct): Promise<string> {
  const code = randomBytes(6).toString('hex').toUpperCase()
  const voucher = { code, productId: 'plan-30-5gb', expiresAt: clock.now().add({ hours: 24 }) }
  await importVouchers(deps.db, deps.secrets, [voucher])
  return code
}
const look = async (code: string) => (await newVisitor(`http://localhost:${port}`).get(`/api/vouchers/${code}/`)).status

const askForReset = (email: string) =>
  newVisitor(`http://localhost:${port}`).post('/api/account/password_reset_request/', { email })

const messageTo = (email: string) =>
  database.db.selectFrom('messages').select('id').where('recipient', '=', email).executeTakeFirst()

async function isFromHere(visitor: Visitor): Promise<boolean> {
  const { status } = await visitor.send('POST', '/api/account/end_other_sessions/', {
    body: '{}',
    headers: { 'content-type': 'application/json', 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
  return status < 400
}

test('rotating SECRET_KEY repeatedly keeps vouchers, queued emails, jobs and sessions valid', async () => {
  const [a, b, c, d] = secrets
  const first = await restart({ SECRET_KEY: a })
  const [ana, ben] = [await newAccount(first), await newAccount(first)]
  let [here, away] = [await signedIn(ana.email), await signedIn(ben.email)]
  const unused = await newCode(first)
  await askForReset(ana.email)
  await pollUntil(() => messageTo(ana.email))
  await restart({ SECRET_KEY: a }, 'web')
  await askForReset(ben.email)

  const second = await restart({ SECRET_KEY: b, SECRET_KEY_PREVIOUS: a }, 'web')
  expect(await look(unused)).toBe(200)
  const alsoUnused = await newCode(second)
  const before = here.cookie('fantail')
  here = again(here)
  expect(await isFromHere(here)).toBe(true)
  expect(here.cookie('fantail')).not.toBe(before)
  expect(here.cookie('fantail')?.split('.')[0]).toBe(before?.split('.')[0])
  expect(await whoIs(here)).toBe(ana.email)

  await restart({ SECRET_KEY: c, SECRET_KEY_PREVIOUS: b })
  expect([await look(unused), await look(alsoUnused)]).toEqual([200, 200])
  ;[here, away] = [again(here), again(away)]
  expect(await isFromHere(here)).toBe(true)
  expect(await whoIs(away)).toBe(ben.email)
  expect(await isFromHere(away)).toBe(true)
  await pollUntil(() => messageTo(ben.email))
  relay.isDown = false
  await database.db.updateTable('messages').set({ retry_at: new Date() }).where('retry_at', 'is not', null).execute()
  for (const { email } of [ana, ben]) {
    const mail = await pollUntil(async () => relay.delivered.find(({ to }) => to === email))
    expect(mail.text).toContain('/password-reset/')
  }

  await restart({ SECRET_KEY: d, SECRET_KEY_PREVIOUS: c })
  await restart({ SECRET_KEY: d })
  expect([await look(unused), await look(alsoUnused)]).toEqual([200, 200])
  expect([await whoIs(again(here)), await whoIs(again(away))]).toEqual([ana.email, ben.email])
  await expect(restart({ SECRET_KEY: a })).rejects.toThrow('SECRET_KEY_PREVIOUS')
})

const notification = (hmacKey: string) =>
  buildNotificationBody(
    {
      eventCode: 'AUTHORISATION',
      success: 'true',
      pspReference: randomUUID(),
      originalReference: '',
      merchantReference: '',
      merchantAccountCode: 'Fantail',
      amount: { value: 0, currency: 'NZD' },
      reason: '',
      eventDate: new Date().toISOString(),
      additionalData: {},
    },
    hmacKey,
  )

async function tell(hmacKey: string): Promise<number> {
  const answer = await fetch(`http://localhost:${port}/callbacks/card/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(notification(hmacKey)),
  })
  return answer.status
}

test('while the gateway’s signing key is changed, only notifications signed with the new or the previous key are accepted', async () => {
  const [a, b, c] = hmacKeys
  const SECRET_KEY = secrets[3]
  await database.db.deleteFrom('kept_keys').execute()
  await restart({ SECRET_KEY, CARD_HMAC_KEY: b, CARD_HMAC_KEY_PREVIOUS: a })
  expect([await tell(a), await tell(b), await tell(c)]).toEqual([200, 200, 401])
  await restart({ SECRET_KEY, CARD_HMAC_KEY: c, CARD_HMAC_KEY_PREVIOUS: b })
  expect([await tell(a), await tell(b), await tell(c)]).toEqual([401, 200, 200])
  await restart({ SECRET_KEY, CARD_HMAC_KEY: c })
  expect([await tell(a), await tell(b), await tell(c)]).toEqual([401, 401, 200])
})
