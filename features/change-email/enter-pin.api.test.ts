import { describe, expect, test } from 'vitest'
import { makeEmailChanger } from '#quality/support/email-changer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { changeEmailMessages } from './change-email.contract.ts'

const world = useWorld()

const wrong = (triesLeft: number) => ({ status: 400, body: { otp: [changeEmailMessages.otpWrong(triesLeft)] } })
const noRequest = { status: 409, body: { __all__: ['There’s no email change in progress. Please start again.'] } }

const rowOf = (userId: string) =>
  world()
    .db.selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
const triesOf = async (userId: string) =>
  (await world().db.selectFrom('pin_tries').select('wrong').where('user_id', '=', userId).execute()).map(
    (row) => row.wrong,
  )

async function asked(wishes: Parameters<typeof makeEmailChanger>[1] = {}) {
  const ana = await makeEmailChanger(world(), wishes)
  await ana.ask()
  return ana
}

describe('entering wrong PINs for an email change', () => {
  test('the fifth wrong PIN cancels an email change and locks out new ones until midnight, even if a PIN was resent', async () => {
    const ana = await asked()
    expect(await ana.enter(await ana.wrongPin())).toMatchObject(wrong(4))
    expect(await ana.enter(await ana.wrongPin())).toMatchObject(wrong(3))
    expect((await ana.resendPin()).status).toBe(200)
    expect(await ana.enter(await ana.wrongPin())).toMatchObject(wrong(2))
    expect((await ana.ask()).status).toBe(200)
    expect(await ana.enter(await ana.wrongPin())).toMatchObject(wrong(1))
    const pin = await ana.pin()
    const canceled = {
      status: 200,
      body: {
        state: 'CANCELED',
        new_email: ana.wanted,
        canceled_by: 'wrong_pins',
        // Midnight in New Zealand is 11:00 UTC in daylight time and 12:00 UTC in standard time.
        locked_until: expect.stringMatching(/T1[12]:00:00Z$/),
      },
    }
    expect(await ana.enter(await ana.wrongPin())).toMatchObject(canceled)
    expect(await ana.enter(await ana.wrongPin())).toMatchObject(noRequest)
    expect(await ana.enter(pin)).toMatchObject(noRequest)
    expect(await ana.resendPin()).toMatchObject(noRequest)
    expect(await ana.look()).toMatchObject(canceled)
    expect(await triesOf(ana.id)).toEqual([5])

    const [notice] = await pollUntil(async () => {
      const mails = await world().mailTo(ana.email)
      return (
        mails.some(({ subject }) => subject === 'We stopped a change to your email address') &&
        mails.filter(({ subject }) => subject.startsWith('We stopped'))
      )
    })
    expect(notice?.text).toContain('change your password')
    expect(await world().mailTo(ana.wanted)).toEqual([])
    const trail = await world()
      .db.selectFrom('audit_events')
      .select('event')
      .where('user_id', '=', ana.id)
      .where('event', 'like', 'email_change_%')
      .orderBy('id')
      .execute()
    expect(trail.map(({ event }) => event)).toEqual([
      'email_change_requested',
      ...Array<string>(3).fill('email_change_pin_wrong'),
      'email_change_requested',
      ...Array<string>(2).fill('email_change_pin_wrong'),
      'email_change_canceled',
    ])

    const refused = await ana.ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const { locked_until } = (await ana.look()).body
    const left = Date.parse(locked_until) - world().deps.clock.now().epochMilliseconds
    expect(left / 1_000).toBeCloseTo(Number(refused.headers.get('retry-after')), -2)
    expect(left).toBeLessThanOrEqual(25 * 3_600_000)
    await world().advance('P1D')
    expect((await ana.look()).body).toMatchObject({ state: 'CREATED', locked_until: null })
    expect((await ana.ask()).status).toBe(200)
    expect((await ana.enter(await ana.pin())).body.state).toBe('VERIFIED')
  })

  test('wrong PINs are counted per account, and correct PINs are not counted', async () => {
    const [ana, ben] = [await asked(), await asked()]
    for (const left of [4, 3, 2, 1]) expect(await ana.enter(await ana.wrongPin())).toMatchObject(wrong(left))
    expect((await ben.enter(await ben.pin())).body.state).toBe('VERIFIED')
    expect((await ana.enter(await ana.pin())).body.state).toBe('VERIFIED')
    expect([await triesOf(ana.id), await triesOf(ben.id)]).toEqual([[4], [0]])
  })

  test('a correct PIN cancels an email change when the account has no PIN attempts left', async () => {
    const ana = await asked()
    await ana.enter(await ana.wrongPin())
    await world().db.updateTable('pin_tries').set({ wrong: 5 }).where('user_id', '=', ana.id).execute()
    expect((await ana.resendPin()).status).toBe(429)
    expect((await ana.enter(await ana.pin())).body.state).toBe('CANCELED')
    expect(await triesOf(ana.id)).toEqual([5])
  })
})

describe('the One-Time PIN for an email change', () => {
  test('a PIN is stored as a keyed hash, which is deleted once the PIN has been used', async () => {
    const ana = await asked()
    const pin = await ana.pin()
    const before = await rowOf(ana.id)
    expect(before.pin_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(before.pin_hash).toBe(world().deps.secrets.hash('change-email-pin', `${before.id}|${pin}`))
    await ana.enter(pin)
    expect(await rowOf(ana.id)).toMatchObject({ state: 'VERIFIED', pin_hash: '' })
    expect((await ana.enter(pin)).body.state).toBe('VERIFIED')
  })

  test('a PIN expires after ten minutes, and entering it later does not count as an attempt', async () => {
    const ana = await asked()
    const first = await ana.pin()
    await world().advance('PT9M')
    expect((await ana.look()).body.state).toBe('REQUESTED')
    await world().advance('PT1M')
    const expired = { status: 200, body: { state: 'EXPIRED', new_email: ana.wanted, sent_to: 'a•••@example.nz' } }
    expect(await ana.look()).toMatchObject(expired)
    expect((await rowOf(ana.id)).state).toBe('EXPIRED')
    expect(await ana.enter(first)).toMatchObject(expired)
    expect(await ana.enter(await ana.wrongPin())).toMatchObject(expired)
    expect(await triesOf(ana.id)).toEqual([])

    expect(await ana.resendPin()).toMatchObject({ status: 200, body: { ...expired.body, state: 'REQUESTED' } })
    expect((await ana.enter(await ana.pin())).body.state).toBe('VERIFIED')
  })

  test('a PIN stops working when it expires, even if no job has marked it as expired yet', async () => {
    const ana = await asked()
    const pin = await ana.pin()
    const { db, deps } = world()
    const stale = { pin_expires_at: new Date(deps.clock.now().epochMilliseconds) }
    await db.updateTable('email_changes').set(stale).where('user_id', '=', ana.id).execute()
    expect((await ana.enter(pin)).body.state).toBe('EXPIRED')
    expect((await ana.look()).body.state).toBe('EXPIRED')
  })

  test('a resent PIN or a new email change invalidates the previous PIN', async () => {
    const ana = await asked()
    const first = await ana.pin()
    await ana.resendPin()
    const second = await ana.pin()
    expect(await ana.enter(first)).toMatchObject(wrong(4))
    await ana.ask(newEmail())
    const third = await ana.pin()
    expect(await ana.enter(second)).toMatchObject(wrong(3))
    expect((await ana.enter(third)).body.state).toBe('VERIFIED')
  })

  test('rejects a PIN submitted with a different address from the one requested', async () => {
    const ana = await asked()
    const pin = await ana.pin()
    expect(await ana.enter(pin, { new_email: newEmail() })).toMatchObject(noRequest)
    expect(await ana.enter(pin, { new_email: 'no address' })).toMatchObject(noRequest)
    expect(await triesOf(ana.id)).toEqual([])
    const fullWidthPin = pin.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
    expect((await ana.enter(` ${fullWidthPin}\u200e `, { new_email: ` ${ana.wanted.toUpperCase()}` })).body.state).toBe(
      'VERIFIED',
    )
  })

  test.each([
    ['blank', ' '],
    ['too short', '12345'],
    ['too long', '1234567'],
    ['letters', 'abcdef'],
    ['broken by a space', '12 456'],
    ['markup', '<b>'],
    ['two lines', '1\r\n2345'],
    ['10 kB long', '1'.repeat(10_000)],
    ['a number', 123_456],
    ['null', null],
    ['a list', ['123456']],
    ['an object', {}],
  ])('rejects a PIN that is %s without counting an attempt', async (_name, otp) => {
    const ana = await asked()
    expect(await ana.visitor.post('/api/account/update_email/', { otp })).toMatchObject({
      status: 400,
      body: { otp: [expect.any(String)] },
    })
    expect(await triesOf(ana.id)).toEqual([])
  })

  test('a request with neither an address nor a PIN fails with an error about the missing PIN', async () => {
    const ana = await asked()
    expect(await ana.visitor.post('/api/account/update_email/', {})).toMatchObject({
      status: 400,
      body: { otp: ['Please enter your One-Time PIN.'] },
    })
  })
})

describe('resending the PIN and the link', () => {
  test('limits how often a PIN and a link are resent, per email change and per account', async () => {
    const ana = await asked()
    for (let count = 0; count < 3; count++) expect((await ana.resendPin()).status).toBe(200)
    const refused = await ana.resendPin()
    expect(refused).toMatchObject({ status: 429, body: { code: 'Too many requests. Please try again shortly.' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (let count = 0; count < 6; count++) expect((await ana.ask()).status).toBe(200)
    expect((await ana.ask()).status).toBe(429)
    expect((await ana.resendPin()).status).toBe(429)
    expect((await ana.enter(await ana.pin())).body.state).toBe('VERIFIED')
    for (let count = 0; count < 3; count++) expect((await ana.resendLink()).status).toBe(200)
    expect((await ana.resendLink()).status).toBe(429)
  })

  test('rejects a PIN or a resend request when the email change’s state does not allow it', async () => {
    const ana = await makeEmailChanger(world())
    expect(await ana.enter('123456')).toMatchObject(noRequest)
    expect(await ana.resendPin()).toMatchObject(noRequest)
    expect(await ana.resendLink()).toMatchObject(noRequest)
    await ana.ask()
    expect(await ana.resendLink()).toMatchObject(noRequest)
    await ana.enter(await ana.pin())
    expect(await ana.resendPin()).toMatchObject(noRequest)
    await ana.confirm(await ana.token())
    expect(await ana.resendLink()).toMatchObject(noRequest)
    expect(await ana.enter('123456')).toMatchObject(noRequest)
  })
})
