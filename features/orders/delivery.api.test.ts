import { findAutoRenewals } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { verifyPassword } from '#kit/server/password.ts'
import { activate, password, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { readProviderRecords, readNetworkActions } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const world = useWorld()

const orderOf = (orderCode: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const invoiceOf = (orderCode: string) =>
  world().db.selectFrom('invoices').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const userOf = (email: string) =>
  world().db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
const cardOf = (userId: string) =>
  world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', userId).executeTakeFirst()
const servicesOf = (userId: string) =>
  world().db.selectFrom('services').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()

const mailTo = (email: string, count = 1) =>
  pollUntil(async () => {
    const mails = await world().mailTo(email)
    return mails.length >= count && mails
  })

describe('delivering a plan paid for with a card', () => {
  test('an activation creates the account only after the payment has been authorised', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { full_name: 'Ana Mere Rewi' })
    expect(await userOf(traveller.email)).toBeUndefined()
    await traveller.pay()
    expect(await userOf(traveller.email)).toMatchObject({
      first_name: 'Ana',
      last_name: 'Mere Rewi',
      email_verified_at: null,
      marketing_consent: true,
    })
    expect(await verifyPassword(password, (await userOf(traveller.email))?.password_hash ?? '')).toBe(true)
    const done = await traveller.arriveAt('SUCCESSFUL')
    expect(await orderOf(done.order_code ?? '')).toMatchObject({
      state: 'completed',
      password_hash: null,
      due_at: null,
      retry_at: null,
      overdue_at: null,
    })
  })

  test('an activation creates the service, a plan schedule that starts today (local time) and the contact phone number', async () => {
    const { email, sim, orderCode } = await activate(world(), { plan: 'plan-90-5gb' })
    const user = await userOf(email)
    const [service] = await servicesOf(user?.id ?? '')
    expect(service).toMatchObject({ iccid: sim.iccid, msisdn: sim.msisdn, released_at: null })
    expect(user?.contact_service_id).toBe(service?.id)
    const schedule = await world()
      .db.selectFrom('schedules')
      .selectAll()
      .where('service_id', '=', service?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(await findAutoRenewals(world().db, [service?.id ?? ''])).toEqual(new Map())
    const { completed_at } = await orderOf(orderCode)
    const today = Temporal.Instant.fromEpochMilliseconds(completed_at?.getTime() ?? 0)
      .toZonedDateTimeISO('Pacific/Auckland')
      .toPlainDate()
    expect(schedule).toMatchObject({
      product_id: 'plan-90-5gb',
      short_id: expect.stringMatching(/^\d[\da-z]{7}$/),
    })
    expect(schedule.expires_at.toISOString()).toBe(
      new Date(today.add({ days: 90 }).toZonedDateTime('Pacific/Auckland').epochMilliseconds).toISOString(),
    )
  })

  test('an activation saves the card with the details reported by the gateway', async () => {
    const { email } = await activate(world())
    const card = await cardOf((await userOf(email))?.id ?? '')
    expect(card).toMatchObject({
      card_type: 'visa',
      last_four: '1111',
      expiry: '03/2030',
      holder_name: 'Ana Rewi',
      stored_id: expect.stringMatching(/^\w{16}$/),
    })
  })

  test.each([
    ['plan-30-5gb', 2200, 287],
    ['plan-90-25gb', 10_965, 1430],
    ['plan-7-500mb', 600, 78],
  ])('the invoice for plan %s is for %i cents, including %i cents of GST', async (plan, total, tax) => {
    const { orderCode, email } = await activate(world(), { plan, full_name: 'Mere Tane' })
    const order = await orderOf(orderCode)
    expect(await invoiceOf(orderCode)).toMatchObject({
      order_id: order.id,
      document_type: 'invoice',
      refund_ref: null,
      email,
      full_name: 'Mere Tane',
      total_cents: total,
      tax_cents: tax,
      currency: 'NZD',
      line_items: [
        {
          title: order.product.title,
          quantity: 1,
          unit_price_cents: total,
          subtotal_cents: total,
          product: { product_type: 1, length: order.product.length, sku: order.product.sku },
        },
      ],
      issuer: { name: 'Fantail Mobile Limited', tax_label: 'GST number', tax_number: '49-091-850' },
    })
    expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([
      { authorised: total, captured: total },
    ])
  })

  test('an activation sends a single email, which contains the link that confirms the address', async () => {
    const { visitor, email, orderCode, sim } = await activate(world())
    const [mail, ...more] = await mailTo(email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      channel: 'email',
      to: email,
      subject: 'Welcome to Fantail Mobile: please confirm your email',
    })
    for (const fact of [
      orderCode,
      formatNational(sim.msisdn),
      '5 GB Prepay Plan',
      '$22.00 NZD, including $2.87 GST',
      'Kia ora Ana,',
    ]) {
      expect(mail?.text).toContain(fact)
      expect(mail?.html.replaceAll('\u00A0', ' ')).toContain(fact)
    }
    // A plan with a single data cycle does not show a total for all cycles.
    expect(mail?.text).not.toContain('in all')
    const [link = ''] = mail?.links ?? []
    expect(link).toMatch(new RegExp(`^${world().url}/verify/\\?token=[\\w-]{43}$`))
    expect(
      await visitor.post('/api/account/verify_email/', { token: new URL(link).searchParams.get('token') }),
    ).toMatchObject({ status: 200 })
    expect((await userOf(email))?.email_verified_at).toBeInstanceOf(Date)
  })
})

describe('delivering a plan paid for with a voucher', () => {
  test('an activation paid for with a voucher uses up the voucher and does not contact the gateway', async () => {
    const voucher = await world().newVoucher('plan-90-25gb')
    const { orderCode, done, email } = await activate(world(), { voucher })
    expect(done).toMatchObject({
      state: 'SUCCESSFUL',
      using_voucher: true,
      plan_title: '25 GB Prepay Plan',
      balance_due: '0.00',
    })
    expect((await readProviderRecords(world(), orderCode)).gateway).toEqual([])
    expect(await readNetworkActions(world(), orderCode)).toEqual(['activate completed', 'add_plan completed'])
    expect(await invoiceOf(orderCode)).toMatchObject({
      total_cents: 0,
      tax_cents: 0,
      line_items: [{ unit_price_cents: 0, subtotal_cents: 0, title: '25 GB Prepay Plan' }],
    })
    expect(await world().visitor().get(`/api/vouchers/${voucher}/`)).toMatchObject({
      status: 412,
      body: { type: 'This voucher has already been used.' },
    })
    const [mail] = await mailTo(email)
    expect(mail?.text).toContain('Total: Paid with a voucher')
    expect(mail?.text).toContain('Data: 75 GB in all, 25 GB at a time')
  })

  test('an activation fails with 400 and creates no account if its voucher has been used in the meantime', async () => {
    const voucher = await world().newVoucher()
    const late = await advanceWizardTo(world(), 'PAYMENT', { voucher })
    await activate(world(), { voucher })
    const { status, body } = await late.pay()
    expect({ status, body }).toEqual({ status: 400, body: { __all__: ['This voucher has already been used.'] } })
    expect(await late.look()).toMatchObject({ state: 'PAYMENT', order_code: null })
    expect(await userOf(late.email)).toBeUndefined()
  })

  test('an activation fails with 400 if its SIM has been activated in the meantime, and its voucher stays valid', async () => {
    const voucher = await world().newVoucher()
    const late = await advanceWizardTo(world(), 'PAYMENT', { voucher })
    await activate(world(), { sim: late.sim })
    expect(await late.pay()).toMatchObject({
      status: 400,
      body: { __all__: ['Someone else has just activated this SIM. Please start again with another SIM.'] },
    })
    expect((await world().visitor().get(`/api/vouchers/${voucher}/`)).status).toBe(200)
  })
})

describe('an activation with an email address that already has an account', () => {
  test(
    'an activation with an existing account’s email address neither changes nor reveals that account',
    { tags: ['slow'] },
    async () => {
      const first = await activate(world(), { full_name: 'Ana Rewi', plan: 'plan-30-15gb' })
      const before = await userOf(first.email)
      const card = await cardOf(before?.id ?? '')

      const second = await activate(world(), {
        full_name: 'Another Person',
        email: first.email.toUpperCase(),
        password: 'takahe 22',
        plan: 'plan-30-15gb',
      })
      const anonymous = ({
        order_code: _code,
        phone_number: _number,
        uuid: _uuid,
        full_name: _name,
        ...rest
      }: typeof first.done) => rest
      expect(anonymous(second.done)).toEqual(anonymous(first.done))

      const accounts = await world()
        .db.selectFrom('users')
        .selectAll()
        .where('email', '=', first.email)
        .orderBy('created_at')
        .execute()
      expect(accounts).toMatchObject([before, { first_name: 'Another', email_verified_at: null }])
      expect(await cardOf(before?.id ?? '')).toEqual(card)
      expect(await servicesOf(before?.id ?? '')).toMatchObject([{ iccid: first.sim.iccid }])
      expect(await servicesOf(accounts[1]?.id ?? '')).toMatchObject([{ iccid: second.sim.iccid }])
      const [mail] = await mailTo(first.email, 2)
      expect(mail?.subject).toBe('Welcome to Fantail Mobile: please confirm your email')
      expect(mail?.text).toContain('If you did not activate this SIM, use the same link to let us know.')
    },
  )
})

describe('order emails', () => {
  test("markup in a customer's name appears as plain text in the email", async () => {
    const { email } = await activate(world(), { full_name: '<i>&"Ana Rewi' })
    const [mail] = await mailTo(email)
    expect(mail?.html).toContain('Kia ora &lt;i&gt;&amp;&quot;Ana,')
    expect(mail?.html).not.toContain('<i>')
    expect(mail?.text).toContain('Kia ora <i>&"Ana,')
  })

  test('email links lead only to our own site or phone number, even if the customer’s name or a header names another site', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { full_name: 'https://evil.example/login Rewi' })
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
    await traveller.visitor.post(
      '/api/activate/pay/',
      { payment_method: '1', adyen_encrypted: world().card() },
      headers,
    )
    await traveller.arriveAt('SUCCESSFUL')
    const [mail] = await mailTo(traveller.email)
    const targets = [...(mail?.html ?? '').matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target ?? '')
    expect(targets.length).toBeGreaterThan(1)
    const elsewhere = [...targets, ...(mail?.links ?? [])].filter((target) => new URL(target).origin !== world().url)
    expect(elsewhere).toEqual(['tel:0800326824'])
  })

  test('the stored body of an email is deleted once the email has been sent', async () => {
    const email = newEmail()
    await activate(world(), { email })
    await mailTo(email)
    const row = await pollUntil(() =>
      world()
        .db.selectFrom('messages')
        .selectAll()
        .where('recipient', '=', email)
        .where('sent_at', 'is not', null)
        .executeTakeFirst(),
    )
    expect(row).toMatchObject({
      sealed_body: null,
      refused_at: null,
      message_id: expect.stringMatching(/^<[\da-f-]{36}@localhost>$/),
    })
  })
})
