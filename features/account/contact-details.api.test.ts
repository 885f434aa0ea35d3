import { describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { issueToken } from '#features/auth/server/tokens.store.ts'
import { changeNumber } from '#features/services/server/services.store.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { detailsMessages } from './contact-details.contract.ts'

const world = useWorld()

const aPerson = () => makeCustomer(world())
async function aCustomer() {
  const customer = await makeCustomer(world(), { services: 2 })
  const [first, second] = customer.services
  if (!first || !second) throw new Error('two services were asked for')
  return { ...customer, first, second }
}

const save = ({ visitor, first_name, last_name, email }: Customer, form: object) =>
  visitor.post('/api/account/update_details/', { first_name, last_name, phone: '', email, ...form })
const confirm = ({ visitor }: Customer, token: unknown) => visitor.post('/api/account/confirm_phone/', { token })
const resend = ({ visitor }: Customer) => visitor.post('/api/account/confirm_phone/resend/')
const cancel = ({ visitor }: Customer) => visitor.post('/api/account/confirm_phone/cancel/')
const userOf = async ({ visitor }: Customer) => (await visitor.get('/api/account/')).body.user
const auditOf = async ({ id }: Customer) =>
  (
    await world()
      .db.selectFrom('audit_events')
      .select('event')
      .where('user_id', '=', id)
      .where('event', 'in', ['details_changed', 'phone_change_requested', 'phone_change_canceled', 'phone_changed'])
      .orderBy('at')
      .execute()
  ).map(({ event }) => event)

const linkMail = 'Please confirm your contact phone number'
const mailsOf = async ({ email }: Customer, subject: string) =>
  (await world().mailTo(email)).filter((mail) => mail.subject === subject)

async function tokenOf(customer: Customer, count = 1): Promise<string> {
  const [newest] = await pollUntil(async () => {
    const mails = await mailsOf(customer, linkMail)
    return mails.length >= count && mails
  })
  const link = newest?.links.find((each) => each.includes('token=')) ?? ''
  expect(link).toMatch(`${world().url}/account/contact-details/phone-success/?token=`)
  return new URL(link).searchParams.get('token') ?? ''
}

const invalidLink = { status: 400, body: { token: [detailsMessages.phoneInvalid] } }

async function waiting() {
  const customer = await aCustomer()
  await save(customer, { phone: customer.second.msisdn })
  return { customer, token: await tokenOf(customer) }
}

// Keep this test first. It advances the clock, which would also run work left over from other tests.
test(
  'a contact phone’s confirmation link expires after a day, and the customer can request a new link',
  { tags: ['slow'] },
  async () => {
    const { customer, token } = await waiting()
    await world().advance('PT24H')
    expect(await confirm(customer, token)).toMatchObject(invalidLink)
    expect((await resend(customer)).status).toBe(200)
    expect((await confirm(customer, await tokenOf(customer, 2))).status).toBe(200)
  },
)

describe('changing the customer’s name', () => {
  test('a name change takes effect immediately and sends no confirmation link', async () => {
    const person = await aPerson()
    const { email_verification, ...before } = await userOf(person)
    expect(email_verification).toBeNull()
    const { status, body } = await save(person, { first_name: '  Anahera ', last_name: 'Te Rewi' })
    expect({ status, body }).toEqual({
      status: 200,
      body: { user: { ...before, first_name: 'Anahera', last_name: 'Te Rewi', last_updated: expect.any(String) } },
    })
    expect(Date.parse(body.user.last_updated)).toBeGreaterThan(Date.parse(before.last_updated))
    expect(await userOf(person)).toEqual({ ...body.user, email_verification })
    expect(await auditOf(person)).toEqual(['details_changed'])
    expect(await mailsOf(person, linkMail)).toEqual([])
  })

  test('saving the same name again changes nothing and records no audit event', async () => {
    const person = await aPerson()
    const before = await userOf(person)
    expect({ ...(await save(person, {})).body.user, email_verification: null }).toEqual(before)
    expect(await auditOf(person)).toEqual([])
  })

  test('accepts names up to their maximum lengths, and an empty last name', async () => {
    const person = await aPerson()
    const names = { first_name: 'ā'.repeat(30), last_name: 'Ō'.repeat(150) }
    expect(await save(person, names)).toMatchObject({ status: 200, body: { user: names } })
    expect(await save(person, { last_name: '' })).toMatchObject({ status: 200, body: { user: { last_name: '' } } })
  })

  const required = 'This field is required.'
  const { firstNameLong, lastNameLong, name, emailLong } = detailsMessages
  test.each<[object, object]>([
    [{ first_name: '' }, { first_name: [required] }],
    [{ first_name: ' \t ' }, { first_name: [required] }],
    [{ first_name: undefined }, { first_name: [required] }],
    [{ first_name: 7 }, { first_name: [required] }],
    [{ first_name: 'a'.repeat(31) }, { first_name: [firstNameLong] }],
    [{ first_name: 'a'.repeat(10_240) }, { first_name: [firstNameLong] }],
    [{ first_name: 'Ana\r\nBcc: all@example.nz' }, { first_name: [name] }],
    [{ first_name: 'Ana\u2028Rewi' }, { first_name: [name] }],
    [{ first_name: 'Ana\0' }, { first_name: [name] }],
    [{ last_name: 'a'.repeat(151) }, { last_name: [lastNameLong] }],
    [{ last_name: 'a'.repeat(10_240) }, { last_name: [lastNameLong] }],
    [{ last_name: 'Rewi\r\nX' }, { last_name: [name] }],
    [{ email: 'a'.repeat(10_240) }, { email: [emailLong] }],
    [
      { first_name: '', last_name: 'a'.repeat(151), email: 'a'.repeat(255) },
      { first_name: [required], last_name: [lastNameLong], email: [emailLong] },
    ],
  ])('rejects invalid contact details (case %#) and changes nothing', async (form, errors) => {
    const person = await aPerson()
    const before = await userOf(person)
    const { status, body } = await save(person, form)
    expect({ status, body }).toEqual({ status: 400, body: errors })
    expect(await userOf(person)).toEqual(before)
  })

  test('removes invisible characters from names, and stores accented letters in their composed form', async () => {
    const person = await aPerson()
    const { body } = await save(person, { first_name: '\u202dA\u200bna\u202c', last_name: 'Nga\u0304\tRe\ufeffwi' })
    expect(body.user).toMatchObject({ first_name: 'Ana', last_name: 'Ng\u0101 Rewi' })
    expect(await userOf(person)).toMatchObject({ first_name: 'Ana', last_name: 'Ng\u0101 Rewi' })
  })

  test('counts code points in names, as the database does', async () => {
    const person = await aPerson()
    expect((await save(person, { first_name: '\u{1f41a}'.repeat(30) })).status).toBe(200)
    expect((await save(person, { first_name: '\u{1f41a}'.repeat(31) })).body).toEqual({ first_name: [firstNameLong] })
  })

  test('stores HTML in a name as plain text, and escapes it in emails', { tags: ['slow'] }, async () => {
    const customer = await aCustomer()
    const first_name = '<b onclick="x()">Ana</b>'
    const { body } = await save(customer, { first_name, last_name: '<script>', phone: customer.second.msisdn })
    expect(body.user).toMatchObject({ first_name, last_name: '<script>' })
    await tokenOf(customer)
    const [mail] = await mailsOf(customer, linkMail)
    expect(mail?.html).not.toContain('<b onclick')
  })

  test('ignores an email address submitted with the contact details', async () => {
    const person = await aPerson()
    expect(await save(person, { email: 'another@else.example', first_name: 'Mere' })).toMatchObject({
      status: 200,
      body: { user: { email: person.email, first_name: 'Mere' } },
    })
  })
})

describe('changing the contact phone', () => {
  test('following the emailed link changes the contact phone and notifies the customer by email and by text to the old phone', async () => {
    const customer = await aCustomer()
    const { first, second } = customer
    const pending = { phone: second.msisdn, phone_display: formatNational(second.msisdn) }
    const saved = await save(customer, { phone: second.msisdn })
    expect(saved).toMatchObject({ status: 200, body: { user: { phone: first.msisdn, email_verification: pending } } })
    expect(await userOf(customer)).toEqual(saved.body.user)
    const token = await tokenOf(customer)
    expect((await mailsOf(customer, linkMail))[0]?.text).toContain(pending.phone_display)

    const confirmed = await confirm(customer, token)
    expect(confirmed).toMatchObject({ status: 200, body: { user: { ...pending, email_verification: null } } })
    expect(await userOf(customer)).toEqual(confirmed.body.user)
    const [notice] = await pollUntil(async () => {
      const mails = await mailsOf(customer, 'Your contact phone number has changed')
      return mails.length > 0 && mails
    })
    expect(notice?.text).toContain(pending.phone_display)
    const texts = await pollUntil(async () => {
      const found = await world().smsTo(first.msisdn)
      return found.length > 0 && found
    })
    expect(texts.map(({ text }) => text)).toEqual([
      expect.stringContaining('this is no longer the contact phone of your account'),
    ])
    expect(await world().smsTo(second.msisdn)).toEqual([])
    expect(await auditOf(customer)).toEqual(['phone_change_requested', 'phone_changed'])

    expect(await confirm(customer, token)).toMatchObject(invalidLink)
  })

  test('accepts a contact phone in national format, along with a new name', { tags: ['slow'] }, async () => {
    const customer = await aCustomer()
    const { body } = await save(customer, { phone: formatNational(customer.second.msisdn), first_name: 'Mere' })
    expect(body.user).toMatchObject({ first_name: 'Mere', email_verification: { phone: customer.second.msisdn } })
    expect(await auditOf(customer)).toEqual(expect.arrayContaining(['details_changed', 'phone_change_requested']))
  })

  test(
    'saving the current contact phone sends no email and does not cancel a pending change',
    { tags: ['slow'] },
    async () => {
      const customer = await aCustomer()
      const { first, second } = customer
      const unchanged = (await save(customer, { phone: first.msisdn })).body.user
      expect(unchanged).toMatchObject({ phone: first.msisdn })
      expect(unchanged).not.toHaveProperty('email_verification')
      await save(customer, { phone: second.msisdn })
      const token = await tokenOf(customer)
      const pending = { phone: second.msisdn, phone_display: formatNational(second.msisdn) }
      const renamed = (await save(customer, { phone: first.msisdn, first_name: 'Mere' })).body.user
      expect(renamed).toMatchObject({ first_name: 'Mere', phone: first.msisdn })
      expect(renamed).not.toHaveProperty('email_verification')
      expect((await userOf(customer)).email_verification).toEqual(pending)
      expect(await mailsOf(customer, linkMail)).toHaveLength(1)
      expect(await confirm(customer, token)).toMatchObject({
        status: 200,
        body: { user: { first_name: 'Mere', phone: second.msisdn, email_verification: null } },
      })
    },
  )

  test(
    'cancelling a pending contact phone change invalidates its link and sends no message',
    { tags: ['slow'] },
    async () => {
      const { customer, token } = await waiting()
      const { first } = customer
      const canceled = await cancel(customer)
      expect(canceled).toMatchObject({ status: 200, body: { user: { phone: first.msisdn, email_verification: null } } })
      expect(await userOf(customer)).toEqual(canceled.body.user)
      expect(await confirm(customer, token)).toMatchObject(invalidLink)
      const nothing = { status: 409, body: { __all__: [detailsMessages.nothingPending] } }
      expect(await resend(customer)).toMatchObject(nothing)
      expect(await cancel(customer)).toMatchObject(nothing)
      expect(await mailsOf(customer, linkMail)).toHaveLength(1)
      expect(await world().smsTo(first.msisdn)).toEqual([])
      expect(await auditOf(customer)).toEqual(['phone_change_requested', 'phone_change_canceled'])
      await save(customer, { phone: customer.second.msisdn })
      expect((await confirm(customer, await tokenOf(customer, 2))).status).toBe(200)
    },
  )

  test('a customer cannot cancel another customer’s pending contact phone change', async () => {
    const { customer, token } = await waiting()
    expect((await cancel(await aPerson())).status).toBe(409)
    expect((await confirm(customer, token)).status).toBe(200)
  })

  test('rejects a contact phone that is not one of the customer’s own numbers, whether or not it belongs to somebody else', async () => {
    const [customer, other] = await Promise.all([
      makeCustomer(world(), { services: 1 }),
      makeCustomer(world(), { services: 1 }),
    ])
    const before = await userOf(customer)
    for (const phone of [
      other.services[0]?.msisdn,
      '+64215550000',
      '+1 555 010 0123',
      '021',
      '<b>021</b>',
      '021 555\r\n0142',
      'x'.repeat(10_240),
      '2'.repeat(12),
    ]) {
      const { status, body } = await save(customer, { phone, first_name: 'Mere' })
      expect({ phone, status, body }).toEqual({ phone, status: 400, body: { phone: [detailsMessages.phone] } })
    }
    for (const phone of ['', '  ', undefined])
      expect(await save(customer, { phone })).toMatchObject({
        status: 400,
        body: { phone: ['This field is required.'] },
      })
    expect(await save(customer, { phone: 7 })).toMatchObject({ status: 400, body: { phone: [detailsMessages.phone] } })
    expect(await userOf(customer)).toEqual(before)
  })

  test('reports a missing or invalid contact phone together with all other field errors', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    const { visitor } = customer
    const required = 'This field is required.'
    const answerTo = async (form: object) => {
      const { status, body } = await visitor.post('/api/account/update_details/', form)
      return { status, body }
    }
    expect(await answerTo({})).toEqual({ status: 400, body: { first_name: [required], phone: [required] } })
    expect(await answerTo({ first_name: 'x'.repeat(31), phone: '+64215550000', email: 7 })).toEqual({
      status: 400,
      body: {
        first_name: [detailsMessages.firstNameLong],
        phone: [detailsMessages.phone],
        email: ['Please check this and try again.'],
      },
    })
    const person = await aPerson()
    expect((await person.visitor.post('/api/account/update_details/', {})).body).toEqual({ first_name: [required] })
  })

  test('rejects a contact phone from a customer without a service', async () => {
    expect(await save(await aPerson(), { phone: '+64215550000' })).toMatchObject({
      status: 400,
      body: { phone: [detailsMessages.phone] },
    })
  })

  test(
    'when a service ends and its number is released, the number stops being the contact phone and cannot be chosen',
    { tags: ['slow'] },
    async () => {
      const customer = await aCustomer()
      const { first, second } = customer
      await world().db.updateTable('services').set({ released_at: new Date() }).where('id', '=', first.id).execute()
      expect((await userOf(customer)).phone).toBeNull()
      expect(await save(customer, { phone: first.msisdn })).toMatchObject({
        status: 400,
        body: { phone: [detailsMessages.phone] },
      })
      await save(customer, { phone: second.msisdn })
      expect(await confirm(customer, await tokenOf(customer))).toMatchObject({
        status: 200,
        body: { user: { phone: second.msisdn } },
      })
      expect(await world().smsTo(first.msisdn)).toEqual([])
    },
  )

  test(
    'when a service’s number changes, a pending or confirmed contact phone with that number changes too',
    { tags: ['slow'] },
    async () => {
      const customer = await aCustomer()
      const { second } = customer
      await save(customer, { phone: second.msisdn })
      const token = await tokenOf(customer)
      const [during, after] = [(await world().newSim()).msisdn, (await world().newSim()).msisdn]
      await transact(world().db, (trx) => changeNumber(trx, second.id, during))
      expect((await userOf(customer)).email_verification).toEqual({
        phone: during,
        phone_display: formatNational(during),
      })
      expect(await confirm(customer, token)).toMatchObject({ status: 200, body: { user: { phone: during } } })
      await transact(world().db, (trx) => changeNumber(trx, second.id, after))
      expect((await userOf(customer)).phone).toBe(after)
    },
  )
})

describe('contact phone confirmation links', () => {
  test('a customer can neither use nor invalidate another customer’s contact phone confirmation link', async () => {
    const { customer, token } = await waiting()
    const other = await aPerson()
    expect(await confirm(other, token)).toMatchObject(invalidLink)
    expect(await confirm(customer, token)).toMatchObject({ status: 200 })
  })

  test('sending a new contact phone confirmation link invalidates the earlier links', { tags: ['slow'] }, async () => {
    const { customer, token } = await waiting()
    expect(await resend(customer)).toMatchObject({
      status: 200,
      body: { message: 'Email resent. Please check your inbox.' },
    })
    const second = await tokenOf(customer, 2)
    expect(await confirm(customer, token)).toMatchObject(invalidLink)
    await save(customer, { phone: customer.second.msisdn })
    const third = await tokenOf(customer, 3)
    expect(await confirm(customer, second)).toMatchObject(invalidLink)
    expect(await confirm(customer, third)).toMatchObject({
      status: 200,
      body: { user: { phone: customer.second.msisdn } },
    })
  })

  test(
    'rejects a contact phone confirmation link once the service with that number has ended',
    { tags: ['slow'] },
    async () => {
      const { customer, token } = await waiting()
      await world()
        .db.updateTable('services')
        .set({ released_at: new Date() })
        .where('id', '=', customer.second.id)
        .execute()
      expect(await confirm(customer, token)).toMatchObject(invalidLink)
      expect(await userOf(customer)).toMatchObject({ phone: customer.first.msisdn, email_verification: null })
    },
  )

  test(
    'rejects a contact phone confirmation link once the account’s email address has changed',
    { tags: ['slow'] },
    async () => {
      const { customer, token } = await waiting()
      await world()
        .db.updateTable('users')
        .set({ email: `new.${customer.email}` })
        .where('id', '=', customer.id)
        .execute()
      expect(await confirm(customer, token)).toMatchObject(invalidLink)
    },
  )

  test.each([
    [''],
    ['x'],
    ['a'.repeat(43)],
    ['a'.repeat(10_240)],
    ['<b>'],
    ['a\r\nb'],
    ['a\0b'],
    [7],
    [null],
    [undefined],
  ])('rejects %o as the token from a contact phone confirmation link', async (token) => {
    const { status, body } = await confirm(await aPerson(), token)
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(['token'])
  })

  test('a token issued for a different purpose cannot confirm a contact phone', { tags: ['slow'] }, async () => {
    const { customer } = await waiting()
    const about = {
      userId: customer.id,
      email: customer.email,
      subjectId: customer.second.id,
      at: world().deps.clock.now(),
      hours: 1,
    }
    for (const purpose of ['verify', 'reset', 'change-email'] as const) {
      expect(
        await confirm(customer, await transact(world().db, (trx) => issueToken(trx, { purpose, ...about }))),
      ).toMatchObject(invalidLink)
    }
  })

  test('the token in a contact phone confirmation link is never stored in plain text', { tags: ['slow'] }, async () => {
    const { customer, token } = await waiting()
    const { db } = world()
    const rows = JSON.stringify([
      await db.selectFrom('email_tokens').selectAll().execute(),
      await db.selectFrom('messages').selectAll().execute(),
      await db.selectFrom('audit_events').select(['event', 'details']).execute(),
    ])
    expect(rows).toContain(customer.email)
    expect(rows).not.toContain(token)
  })

  test('resends a contact phone confirmation link at most five times an hour', { tags: ['slow'] }, async () => {
    const { customer } = await waiting()
    const statuses = []
    for (let time = 0; time < 6; time++) statuses.push((await resend(customer)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test(
    'sends at most ten contact phone confirmation links an hour, and saves nothing from a request over the limit',
    { tags: ['slow'] },
    async () => {
      const { customer } = await waiting()
      for (let time = 1; time < 10; time++)
        expect((await save(customer, { phone: customer.second.msisdn })).status).toBe(200)
      const refused = await save(customer, { phone: customer.second.msisdn, first_name: 'Mere' })
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await userOf(customer)).first_name).toBe(customer.first_name)
      expect(await confirm(customer, await tokenOf(customer, 10))).toMatchObject({ status: 200 })
      // A name change still succeeds once the limit on emails has been reached, because it sends no email.
      expect((await save(customer, { phone: customer.second.msisdn, first_name: 'Mere' })).status).toBe(200)
    },
  )
})

describe('who may change the contact details', () => {
  const calls: [string, object][] = [
    ['/api/account/update_details/', { first_name: 'Mere', last_name: '', phone: '' }],
    ['/api/account/confirm_phone/', { token: 'a'.repeat(43) }],
    ['/api/account/confirm_phone/resend/', {}],
    ['/api/account/confirm_phone/cancel/', {}],
  ]

  test.each(calls)('%s answers 401 to a visitor who is not signed in', async (path, body) => {
    expect((await world().visitor().post(path, body)).status).toBe(401)
  })

  test('the contact details endpoints answer 403 to a customer with an unverified email address', async () => {
    const person = await makeCustomer(world(), { verified: false })
    expect((await save(person, { first_name: 'Mere' })).status).toBe(403)
    expect((await resend(person)).status).toBe(403)
    expect((await cancel(person)).status).toBe(403)
    expect((await confirm(person, 'a'.repeat(43))).status).toBe(403)
    expect((await userOf(person)).first_name).toBe(person.first_name)
  })
})
