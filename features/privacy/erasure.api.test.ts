/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { makeEmailChanger } from '#quality/support/email-changer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { readGatewayCards, newPortableNumber, sendNotification } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { findColumnsContaining } from '#quality/support/find-text.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-privacy-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const path = '/api/account/privacy/erasure/'
const ask = (visitor: Visitor, password: string): Promise<Answer> => visitor.post(path, { password })
const keep = (token: string): Promise<Answer> => world().visitor().post('/api/account/privacy/keep/', { token })
const callOff = (visitor: Visitor): Promise<Answer> =>
  visitor.send('DELETE', path, { headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' } })
const requestsOf = (userId: string) =>
  world().db.selectFrom('erasure_requests').selectAll().where('user_id', '=', userId).execute()
const erasureOf = (userId: string) =>
  world().db.selectFrom('erasures').selectAll().where('user_id', '=', userId).executeTakeFirst()
const isErased = (userId: string) => pollUntil(async () => (await erasureOf(userId))?.state === 'completed')

async function tokensTo(address: string): Promise<string[]> {
  const mails = await pollUntil(async () => {
    const found = (await world().mailTo(address)).filter(({ subject }) => subject === 'Your data will be deleted')
    return found.length > 0 && found
  })
  return mails.flatMap(({ links }) => links.flatMap((url) => /\/keep\/\?token=([\w-]+)/.exec(url)?.[1] ?? []))
}

describe('requesting the erasure of a customer’s data', () => {
  test('requesting an erasure requires the password, and cancelling an erasure requires the CSRF token', async () => {
    const { visitor, id } = await makeCustomer(world())
    expect((await ask(visitor, '')).body).toEqual({ password: ['Please enter your current password.'] })
    expect((await ask(visitor, 'not it 1')).body).toEqual({ password: ['That is not your current password.'] })
    expect((await visitor.send('DELETE', path)).status).toBe(403)
    expect(await requestsOf(id)).toEqual([])
    expect((await callOff(visitor)).body).toEqual({
      __all__: ['Your data isn’t due to be deleted, so there’s nothing to cancel.'],
    })
  })

  test('rejects an erasure request while a number transfer is open, with the reason that the page also shows', async () => {
    const { visitor, password, service, id } = await makeSubscriber(world())
    const number = await newPortableNumber(world())
    await visitor.post(`/api/services/port/${service.id}/`, portForm(number))
    const sentence = expect.stringMatching(/^The transfer of 0[\d ]+ isn’t finished\. Cancel it, or try again/)
    expect((await visitor.get(path)).body.in_the_way).toEqual([sentence])
    const { status, body } = await ask(visitor, password)
    expect({ status, body }).toEqual({ status: 400, body: { __all__: [sentence] } })
    expect(await requestsOf(id)).toEqual([])
  })

  test('a repeated erasure request counts once, and a new request can be made after a cancellation', async () => {
    const { visitor, password, id, email } = await makeCustomer(world())
    const [first, second] = [await ask(visitor, password), await ask(visitor, password)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.waiting).toEqual(first.body.waiting)
    expect(await tokensTo(email)).toHaveLength(1)
    const off = await callOff(visitor)
    expect(off.body.waiting).toBeNull()
    await pollUntil(async () =>
      (await world().mailTo(email)).some(({ subject }) => subject === 'We’ve kept your account'),
    )
    await world().advance('PT25H')
    expect(await erasureOf(id)).toBeUndefined()
    expect((await ask(visitor, password)).body.waiting).toMatchObject({ is_put_off: false })
    expect((await requestsOf(id)).map(({ state }) => state).toSorted()).toEqual(['called_off', 'waiting'])
    expect((await callOff(visitor)).status).toBe(200)
  })

  test('the email about an erasure also goes to the customer’s previous address, and its link cancels the erasure', async () => {
    const changer = await makeEmailChanger(world())
    await changer.ask()
    await changer.enter(await changer.pin())
    const token = await changer.token()
    expect((await changer.visitor.post('/api/account/update_email/confirm/', { token })).status).toBe(200)
    const { email: now } = (await changer.visitor.get('/api/account/')).body.user
    expect(now).not.toBe(changer.email)
    expect((await ask(changer.visitor, changer.password)).status).toBe(200)
    const [[here = ''], [left = '']] = [await tokensTo(now), await tokensTo(changer.email)]
    expect(left).not.toBe(here)
    const [mail] = (await world().mailTo(changer.email)).filter(
      ({ subject }) => subject === 'Your data will be deleted',
    )
    expect(mail?.text).not.toContain(now)
    expect(await keep(left)).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('kept your account') },
    })
    expect([(await keep(left)).status, (await keep(here)).status]).toEqual([200, 200])
    expect((await changer.visitor.get(path)).body.waiting).toBeNull()
  })

  test('rejects invalid tokens when an erasure is cancelled by link', async () => {
    for (const token of ['', 'x', 'a'.repeat(43), 'a'.repeat(200)]) expect((await keep(token)).status).toBe(400)
  })
})

describe('erasures that are due', () => {
  test('after an erasure, only invoices still name the customer, and nothing more is charged or sent', async () => {
    const customer = await createCustomerWithAllData(world())
    const { id, visitor, password, email, first_name, last_name, fullName, ported, service, second } = customer
    const { body } = await ask(visitor, password)
    expect(body.lost).toMatchObject([
      { plan: expect.any(String), ends: expect.any(String), auto_renewal: true },
      { next_plan: expect.any(String) },
    ])
    const [token = ''] = await tokensTo(email)
    await pollUntil(async () =>
      (await world().smsTo(ported)).some(({ text }) => text.includes('asked to delete your account')),
    )
    await world().advance('PT23H')
    expect(await erasureOf(id)).toBeUndefined()
    await world().advance('PT2H')
    await isErased(id)

    const outside = async () => ({
      mails: (await world().mailTo(email)).length,
      texts: (await world().smsTo(ported)).length + (await world().smsTo(second.msisdn)).length,
      cards: (await readGatewayCards(world(), id)).length,
      charges: (await world().ledgers()).gateway.length,
    })
    const then = await outside()
    expect(then.cards).toBe(0)
    await world().advance('P120D')
    expect(await outside()).toEqual(then)

    const texts = [first_name, last_name, fullName, email]
    const numbers = [ported, service.msisdn, second.msisdn].map((one) => one.slice(1))
    for (const text of [...texts, ...numbers])
      expect((await findColumnsContaining(world().db, text)).filter((place) => !place.startsWith('invoices.'))).toEqual(
        [],
      )
    expect(await requestsOf(id)).toEqual([])
    expect((await keep(token)).status).toBe(400)
    expect((await visitor.get(path)).status).toBe(401)
    const acts = await world()
      .db.selectFrom('audit_events')
      .select(['event', 'actor'])
      .where('user_id', '=', id)
      .execute()
    expect(acts.filter(({ event }) => event === 'customer_erased')).toEqual([{ event: 'customer_erased', actor: null }])
  })

  test('a dispute postpones an erasure until the dispute is settled, and the customer is emailed once', async () => {
    const { id, visitor, password, email, service } = await makeSubscriber(world(), { card: true })
    expect((await ask(visitor, password)).status).toBe(200)
    const tell = (eventCode: string) =>
      sendNotification(world(), {
        eventCode,
        merchantReference: `${service.orderCode}-1`,
        pspReference: `D${service.orderCode}`,
        amount: { value: 2200, currency: 'NZD' },
        reason: 'Goods not received',
      })
    await tell('CHARGEBACK')
    await world().advance('PT25H')
    const { waiting, in_the_way: why } = (await visitor.get(path)).body
    expect({ waiting, why }).toEqual({
      waiting: { due: expect.any(String), is_put_off: true },
      why: [
        `The payment for order ${service.orderCode} is disputed with your bank. Please try again once the dispute is decided.`,
      ],
    })
    await world().advance('PT48H')
    const told = async () => (await world().mailTo(email)).filter(({ subject }) => subject.includes('couldn’t delete'))
    await pollUntil(async () => (await told()).length > 0)
    await tell('CHARGEBACK_REVERSED')
    await world().advance('PT25H')
    await isErased(id)
    expect(await told()).toHaveLength(1)
    expect(await findColumnsContaining(world().db, email)).toEqual(['invoices.email'])
  })
})
