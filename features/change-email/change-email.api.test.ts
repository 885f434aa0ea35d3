import { describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { countLimitUse } from '#kit/server/limits.ts'
import { issueToken } from '#features/auth/server/tokens.store.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { type EmailChanger, makeEmailChanger, extractEmailToken } from '#quality/support/email-changer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { newEmailMailLimit } from './server/new-email.ts'

const world = useWorld()

const going = { canceled_by: null, locked_until: null }
const created = { state: 'CREATED', new_email: '', sent_to: '', ...going }
const linkInvalid = {
  status: 400,
  body: { token: ['This link is no longer valid. It may have been used already, or have expired.'] },
}
const noRequest = { status: 409, body: { __all__: ['There’s no email change in progress. Please start again.'] } }

const auditOf = async (userId: string) =>
  await world()
    .db.selectFrom('audit_events')
    .select(['event', 'details', 'session_id'])
    .where('user_id', '=', userId)
    .where('event', 'like', 'email_%')
    .orderBy('id')
    .execute()
const rowsOf = (userId: string) =>
  world().db.selectFrom('email_changes').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
const waitingForMail = async () =>
  (await world().db.selectFrom('email_changes').select('id').where('link_wanted', '=', true).execute()).length
const subjectsTo = async (address: string) => (await world().mailTo(address)).map(({ subject }) => subject)

async function verified(wishes: Parameters<typeof makeEmailChanger>[1] = {}) {
  const ana = await makeEmailChanger(world(), wishes)
  await ana.ask()
  await ana.enter(await ana.pin())
  return { ...ana, link: await ana.token() }
}

describe('changing an email address from start to finish', () => {
  test('customers change their email address with a PIN sent to their phone and a link sent to the new mailbox', async () => {
    const ana = await makeEmailChanger(world(), { services: 1 })
    const { msisdn = '' } = ana.services[0] ?? {}
    const mailsBefore = await pollUntil(async () => (await world().mailTo(ana.email)).length || null)
    expect(await ana.look()).toMatchObject({ status: 200, body: created })

    const requested = { state: 'REQUESTED', new_email: ana.wanted, sent_to: `•••• ${msisdn.slice(-3)}`, ...going }
    expect(await ana.ask()).toMatchObject({ status: 200, body: requested })
    const pin = await ana.pin()
    expect((await world().smsTo(msisdn)).map(({ text }) => text)).toEqual([
      `Fantail Mobile: your One-Time PIN is ${pin}. It is valid for 10 minutes. Never share it.\n@${new URL(world().url).hostname} #${pin}`,
    ])
    expect((await ana.look()).body).toEqual(requested)

    expect(await ana.enter(pin)).toMatchObject({
      status: 200,
      body: { state: 'VERIFIED', new_email: ana.wanted, sent_to: '', ...going },
    })
    const token = await ana.token()
    expect((await world().mailTo(ana.wanted))[0]?.links).toContain(
      `${world().url}/account/contact-details/change-email/?token=${token}`,
    )
    expect((await ana.visitor.get('/api/account/')).body.user.email).toBe(ana.email)
    expect(await world().mailTo(ana.email)).toHaveLength(mailsBefore)

    const finished = { state: 'FINISHED', new_email: ana.wanted, sent_to: '', ...going }
    expect(await ana.confirm(token)).toMatchObject({ status: 200, body: finished })
    expect((await ana.visitor.get('/api/account/')).body.user).toMatchObject({
      email: ana.wanted,
      email_verified: true,
    })
    await pollUntil(async () => (await subjectsTo(ana.email))[0] === 'Your email address has changed')
    await pollUntil(async () => (await subjectsTo(ana.wanted))[0] === 'Your email address has changed')
    const [told] = await world().mailTo(ana.email)
    expect(told?.text).not.toContain(ana.wanted)
    expect(told?.text).toContain('If this wasn’t you, please call us on 0800 326 824 (8 am to 8 pm) straight away.')
    expect(
      (await (await logInAs(world(), { ...ana, email: ana.wanted })).get('/api/account/')).body.authenticated,
    ).toBe(true)
    await expect(logInAs(world(), ana)).rejects.toThrow('login answered 400')

    const trail = await auditOf(ana.id)
    expect(trail.map(({ event }) => event)).toEqual([
      'email_change_requested',
      'email_change_verified',
      'email_changed',
    ])
    expect(trail.every(({ session_id }) => session_id)).toBe(true)
    expect(JSON.stringify(trail)).not.toMatch(/@|\+64/)

    expect((await ana.look()).body).toEqual(finished)
    await world().advance('P1D')
    expect((await ana.look()).body).toEqual(created)
  })

  test('an unverified customer can change their email address; if they have no phone, the PIN goes to the current address', async () => {
    const ana = await makeEmailChanger(world(), { verified: false })
    expect((await ana.ask()).body).toEqual({
      state: 'REQUESTED',
      new_email: ana.wanted,
      sent_to: 'a•••@example.nz',
      ...going,
    })
    const pin = await ana.pin()
    const [mail] = await world().mailTo(ana.email)
    expect(mail).toMatchObject({
      subject: 'Your One-Time PIN',
      html: expect.stringContaining(pin),
      text: expect.stringContaining('10 minutes'),
    })

    expect((await ana.enter(pin)).body.state).toBe('VERIFIED')
    expect((await ana.confirm(await ana.token())).body.state).toBe('FINISHED')
    expect((await ana.visitor.get('/api/account/')).body.user).toMatchObject({
      email: ana.wanted,
      email_verified: true,
    })
  })

  test('accepts a new email address in upper or lower case and stores it in lower case', async () => {
    const ana = await makeEmailChanger(world())
    expect((await ana.ask(`  ${ana.wanted.toUpperCase()} `)).body.new_email).toBe(ana.wanted)
  })

  test('requesting a change to a different address replaces the first email change and invalidates its link', async () => {
    const ana = await verified()
    const other = newEmail()
    expect((await ana.ask(other)).body).toMatchObject({ state: 'REQUESTED', new_email: other })
    expect(await ana.confirm(ana.link)).toMatchObject(linkInvalid)
    expect((await rowsOf(ana.id)).map(({ state, ended_at }) => [state, ended_at !== null])).toEqual([
      ['CANCELED', true],
      ['REQUESTED', false],
    ])
    expect((await ana.look()).body.new_email).toBe(other)
  })

  test('the email sent to a new address has a fixed subject and does not contain the customer’s name', async () => {
    const ana = await verified({ first_name: '<b>Winnings<b>' })
    const [mail] = await world().mailTo(ana.wanted)
    expect(mail?.subject).toBe('Please confirm your new email address')
    expect(`${mail?.html}${mail?.text}`).not.toMatch(/Winnings|Rewi/)
    expect(mail?.html).not.toContain(ana.email)
    expect((await world().mailTo(ana.email))[0]?.html).toContain('Kia ora &lt;b&gt;Winnings&lt;b&gt;,')
  })
})

describe('an email change to an address that already has an account', () => {
  test('the API response does not reveal whether the new address has an account, but the owner of such an account is emailed', async () => {
    const owner = await makeCustomer(world())
    const [ana, free] = [await makeEmailChanger(world(), { wanted: owner.email }), await makeEmailChanger(world())]
    const walk = async ({ ask, resendPin, enter, pin, resendLink, look, wanted }: EmailChanger) => {
      const answers = [await ask(), await resendPin(), await enter(await pin()), await resendLink(), await look()]
      return answers.map(({ status, body }) => [status, { ...body, new_email: body.new_email === wanted }])
    }
    const answers = await walk(free)
    expect(answers.map(([, body]) => body.state)).toEqual([
      'REQUESTED',
      'REQUESTED',
      'VERIFIED',
      'VERIFIED',
      'VERIFIED',
    ])
    expect(await walk(ana)).toEqual(answers)
    const mail = await pollUntil(async () => (await world().mailTo(owner.email))[0])
    expect(mail).toMatchObject({
      subject: 'This email address already has an account',
      html: expect.stringContaining('It already has an account'),
    })
    expect(extractEmailToken(mail.text)).toBeUndefined()
    expect(
      await world()
        .db.selectFrom('email_tokens')
        .select('token_hash')
        .where('user_id', '=', ana.id)
        .where('purpose', '=', 'change-email')
        .execute(),
    ).toEqual([])
    expect((await ana.visitor.get('/api/account/')).body.user.email).toBe(ana.email)
  })

  test('all email changes together send at most twelve emails an hour to an address that already has an account', async () => {
    const owner = await makeCustomer(world())
    const limit = newEmailMailLimit(owner.email)
    for (let mail = 0; mail < limit.times - 1; mail++) await countLimitUse(world().db, [limit])
    const taken = async () =>
      (await subjectsTo(owner.email)).filter((subject) => subject === 'This email address already has an account')
    for (const ana of [0, 1].map(() => makeEmailChanger(world(), { wanted: owner.email }))) {
      const { ask, enter, pin } = await ana
      await ask()
      expect((await enter(await pin())).body).toMatchObject({ state: 'VERIFIED' })
      await pollUntil(async () => (await waitingForMail()) === 0)
    }
    expect(await taken()).toHaveLength(1)
  })

  test('an email change is cancelled when another account takes the address after the link was sent', async () => {
    const ana = await verified()
    await makeCustomer(world(), { email: ana.wanted })
    expect(await ana.confirm(ana.link)).toMatchObject(linkInvalid)
    expect((await ana.look()).body).toEqual({
      state: 'CANCELED',
      new_email: ana.wanted,
      sent_to: '',
      canceled_by: 'address_taken',
      locked_until: null,
    })
    expect((await ana.visitor.get('/api/account/')).body.user.email).toBe(ana.email)
    expect((await auditOf(ana.id)).at(-1)).toMatchObject({
      event: 'email_change_canceled',
      details: { reason: 'taken' },
    })
  })

  test('rejects an email change to the customer’s current address', async () => {
    const ana = await makeEmailChanger(world())
    expect(await ana.ask(ana.email.toUpperCase())).toMatchObject({
      status: 400,
      body: { new_email: ['This is already your email address.'] },
    })
    expect((await ana.look()).body).toEqual(created)
  })
})

describe('the link that confirms a new email address', () => {
  test('an email change link works only once', async () => {
    const ana = await verified()
    expect((await ana.confirm(ana.link)).status).toBe(200)
    expect(await ana.confirm(ana.link)).toMatchObject(linkInvalid)
    expect((await ana.look()).body.state).toBe('FINISHED')
  })

  test('nobody else can use a customer’s email change link, and trying to use it does not invalidate the link', async () => {
    const [ana, stranger] = [await verified(), await makeCustomer(world())]
    expect(await ana.confirm(ana.link, stranger.visitor)).toMatchObject(linkInvalid)
    expect((await ana.confirm(ana.link, world().visitor())).status).toBe(401)
    expect((await stranger.visitor.get('/api/account/')).body.user.email).toBe(stranger.email)
    expect((await ana.confirm(ana.link)).status).toBe(200)
  })

  test('sending a new email change link invalidates the previous link', async () => {
    const ana = await verified()
    expect(await ana.resendLink()).toMatchObject({
      status: 200,
      body: { state: 'VERIFIED', new_email: ana.wanted, sent_to: '', ...going },
    })
    const second = await ana.token(2)
    expect(second).not.toBe(ana.link)
    expect(await ana.confirm(ana.link)).toMatchObject(linkInvalid)
    expect((await ana.confirm(second)).status).toBe(200)
  })

  test(
    'a confirmation link is valid for a day, and the email change itself for a week',
    { tags: ['slow'] },
    async () => {
      const ana = await verified()
      // Daylight saving makes some days longer or shorter than 24 hours, so the test advances the clock in hours, not days.
      await world().advance('PT24H')
      expect(await ana.confirm(ana.link)).toMatchObject(linkInvalid)
      expect((await ana.look()).body.state).toBe('VERIFIED')
      await world().advance('PT143H50M')
      expect((await ana.resendLink()).status).toBe(200)
      const second = await ana.token(2)
      await world().advance('PT10M')
      expect((await ana.look()).body).toEqual(created)
      expect(await ana.confirm(second)).toMatchObject(linkInvalid)
      expect(await rowsOf(ana.id)).toMatchObject([{ state: 'CANCELED', ended_at: expect.any(Date) }])
      expect(await ana.resendLink()).toMatchObject(noRequest)
    },
  )

  test('confirming a new email address invalidates all links sent to the old address', async () => {
    const ana = await verified()
    const now = world().deps.clock.now()
    for (const purpose of ['reset', 'verify', 'phone'] as const)
      await transact(world().db, (trx) =>
        issueToken(trx, { purpose, userId: ana.id, email: ana.email, at: now, hours: 24 }),
      )
    expect((await ana.confirm(ana.link)).status).toBe(200)
    expect(
      await world()
        .db.selectFrom('email_tokens')
        .select('purpose')
        .where('user_id', '=', ana.id)
        .where('used_at', 'is', null)
        .execute(),
    ).toEqual([])
  })

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['made up', 'a'.repeat(43)],
    ['far too long', 'a'.repeat(10_000)],
    ['markup', '<b>'],
    ['two lines', 'a\r\nb'],
    ['a list', ['x']],
    ['a number', 7],
    ['null', null],
  ])('rejects a token for confirming a new email address that is %s', async (_name, token) => {
    const ana = await makeEmailChanger(world())
    expect(await ana.visitor.post('/api/account/update_email/confirm/', { token })).toMatchObject(linkInvalid)
  })
})

describe('who may read, request and confirm an email change', () => {
  test('responds with 401 to every email change request from a visitor who is not signed in', async () => {
    const visitor = world().visitor()
    const base = '/api/account/update_email/'
    const answers = [
      await visitor.get(base),
      ...(await Promise.all(
        ['', 'resend_otp/', 'resend_email/', 'confirm/'].map((end) =>
          visitor.post(`${base}${end}`, { new_email: newEmail(), token: 'a' }),
        ),
      )),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  })

  test('rejects email change requests that come from another site or lack a valid CSRF token', async () => {
    const ana = await makeEmailChanger(world())
    for (const end of ['', 'resend_otp/', 'resend_email/', 'confirm/']) {
      const path = `/api/account/update_email/${end}`
      expect((await ana.visitor.post(path, { new_email: ana.wanted }, { 'x-csrftoken': '' })).status).toBe(403)
      expect(
        (
          await ana.visitor.post(
            path,
            { new_email: ana.wanted },
            { 'x-csrftoken': world().visitor().cookie('csrftoken') ?? 'x' },
          )
        ).status,
      ).toBe(403)
      expect((await ana.visitor.post(path, { new_email: ana.wanted }, { origin: 'https://evil.example' })).status).toBe(
        403,
      )
    }
    expect(await rowsOf(ana.id)).toEqual([])
  })
})

describe('rejecting invalid new email addresses', () => {
  const notValid = ['Please enter a valid email address.']
  test.each([
    ['an empty string', '', ['This field is required.']],
    ['an absent field', undefined, ['This field is required.']],
    ['a name', 'ana', notValid],
    ['markup', '<script>alert(1)</script>@example.nz', notValid],
    ['a line break', 'ana@example.nz\r\nBcc: all@example.nz', notValid],
    ['two addresses', 'ana@example.nz, ben@example.nz', notValid],
    ['10 kB', `${'a'.repeat(10_000)}@example.nz`, notValid],
    ['more than 254 characters', `${'a'.repeat(244)}@example.nz`, notValid],
    ['more than 64 characters before the @ sign', `${'a'.repeat(65)}@example.nz`, notValid],
    ['a domain without a full stop', 'ana@localhost', notValid],
    ['two full stops in a row', 'ana..rewi@example.nz', notValid],
    ['a numeric top-level domain', 'ana@example.123', notValid],
    ['a number', 7, notValid],
    ['null', null, notValid],
    ['a list', ['ana@example.nz'], notValid],
  ])('rejects %s as a new email address', async (_name, new_email, sentences) => {
    const ana = await makeEmailChanger(world())
    expect(await ana.visitor.post('/api/account/update_email/', { new_email })).toMatchObject({
      status: 400,
      body: { new_email: sentences },
    })
    expect(await rowsOf(ana.id)).toEqual([])
  })
})
