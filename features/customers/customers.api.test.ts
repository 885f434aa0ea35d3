import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { exitCodes } from '#operator/command.ts'
import { setAutoRenewal } from '#quality/support/auto-renewal.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { runCommandForJson, runCommand } from '#quality/support/operator.ts'
import { renew } from '#quality/support/purchases.ts'
import { submitReset, requestResetLink } from '#quality/support/reset-link.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-customers-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const run = (...args: string[]) => runCommand(dataDir, args)
const ask = (...args: string[]) => runCommandForJson(dataDir, args)
const loggedIn = async (customer: { email: string; password: string }) =>
  world().visitor().post('/api/account/login/', { username: customer.email, password: customer.password })
const actsOf = (id: string, event: string) =>
  world()
    .db.selectFrom('audit_events')
    .select(['event', 'actor'])
    .where('user_id', '=', id)
    .where('event', '=', event)
    .execute()

describe('the command “customers find”', () => {
  test(
    'the command “customers find” accepts full or partial numbers, emails, names, order codes and SIM serial numbers',
    { tags: ['slow'] },
    async () => {
      const customer = await createCustomerWithAllData(world())
      const { id, ported, service, second, email, first_name, last_name } = customer
      const found = async (text: string) =>
        ((await ask('customers', 'find', text)) as { of: string; customers: { id: string; hit: string }[] }[]).flatMap(
          ({ of, customers }) => customers.filter((one) => one.id === id).map(({ hit }) => [of, hit]),
        )
      for (const text of [ported, formatNational(ported), ported.slice(1), ported.slice(3)])
        expect(await found(text)).toEqual([['number', ported]])
      expect(await found(formatNational(second.msisdn).slice(0, 8))).toContainEqual(['number', second.msisdn])
      expect(await found(email.toUpperCase())).toEqual([['email', email]])
      expect(await found(`${last_name}`)).toContainEqual(['name', `${first_name} ${last_name}`])
      expect(await found(`${last_name.slice(0, 5)}, ${first_name.slice(0, 4).toUpperCase()}`)).toEqual([
        ['name', `${first_name} ${last_name}`],
      ])
      expect(await found(service.orderCode.slice(0, 9).toLowerCase())).toContainEqual(['order', service.orderCode])
      expect(await found(service.sim.iccid)).toEqual([['SIM', service.sim.iccid]])
      expect(await found(service.sim.iccid.slice(-4))).toContainEqual(['end', service.sim.iccid])
      expect(await found(ported.slice(-4))).toContainEqual(['end', ported])
      const { said } = await run('customers', 'find', email)
      expect(said).toEqual([`${id}  email ${email}  ${first_name} ${last_name} (${email})`])
    },
  )

  test('the command “customers find” says so when nobody matches, and treats wildcard characters literally', async () => {
    for (const text of ['%', '_%', "'", '\\', 'nobody@nowhere.example', '+', '   ', '0299999999999', 'x'.repeat(254)])
      expect(await run('customers', 'find', text)).toMatchObject({ exit: exitCodes.done, said: ['No customer found.'] })
    expect(await run('customers', 'find', 'x'.repeat(255))).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['That search text is too long.'],
    })
  })

  test('the command “customers find” lists unfinished and failed activations, and says that no order has a mistyped code', async () => {
    const email = newEmail()
    const visitor = await advanceWizardTo(world(), 'PAYMENT', { full_name: 'Wīremu Ōtene', email })
    expect(await run('customers', 'find', 'otene')).toMatchObject({
      said: [
        expect.stringMatching(
          `^no order {2}activation of 0.*, SIM 89\\d+ {2}Wīremu Ōtene {2}\\(${email}\\) {2}PAYMENT, started `,
        ),
      ],
    })
    await visitor.pay({ holder: 'DECLINED' })
    const { order_code, msisdn, iccid } = await world()
      .db.selectFrom('orders')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    for (const text of ['Otene, Wiremu', email, msisdn, iccid, order_code])
      expect((await run('customers', 'find', text)).said).toEqual([
        expect.stringMatching(`^${order_code} .*Wīremu Ōtene {2}\\(${email}\\) {2}refused, started `),
      ])
    expect((await run('customers', 'find', 'FT0123456789')).said).toEqual(['No order with this code.'])
  })

  test('the command “customers find” lists the first eight of nine matching customers and says that there are more', async () => {
    for (let count = 0; count < 9; count++) await makeCustomer(world(), { last_name: 'Wwwmany' })
    const { said } = await run('customers', 'find', 'wwwman')
    expect(said).toHaveLength(9)
    expect(said.at(-1)).toBe('More than one match for name. Be more specific.')
  })
})

describe('the command “customers show”', () => {
  test(
    'the command “customers show” lists numbers, next plans and the whole history in pages',
    { tags: ['slow'] },
    async () => {
      const { id, email, service, second, ported, first_name } = await createCustomerWithAllData(world())
      const shown = await ask('customers', 'show', id)
      expect(shown).toMatchObject({
        id,
        email,
        email_verified: true,
        first_name,
        contact_phone: ported,
        blocked: null,
        erased: null,
        sessions: 1,
        saved_card: { card_type: 'visa', last_four: '1111', expiry: expect.any(String) },
        numbers: [
          { id: service.id, msisdn: ported, iccid: service.sim.iccid, auto_renewal: true, next_plan: null },
          { id: second.id, msisdn: second.msisdn, auto_renewal: false, next_plan: expect.any(String) },
        ],
      })
      const kinds = new Set(shown.history.map(({ of }: { of: string }) => of))
      expect(kinds).toEqual(new Set(['order', 'number', 'transfer', 'message', 'act']))
      expect(JSON.stringify(shown)).not.toMatch(/hash|token|\$argon2|sealed/)

      for (let count = 0; count < 60; count++)
        await world()
          .db.insertInto('audit_events')
          .values({
            at: new Date('2020-01-01T00:00:00Z'),
            event: 'login',
            user_id: id,
            session_id: null,
            details: '{}',
          })
          .execute()
      const seen: string[] = []
      for (let before: string | null = null, pages = 0; pages < 9; pages++) {
        const page = await ask('customers', 'show', id, ...(before ? ['--before', before] : []))
        seen.push(
          ...page.history.map((one: { at: string; of: string; what: string }) => `${one.at} ${one.of} ${one.what}`),
        )
        before = page.next
        if (!before) break
      }
      expect(seen.filter((one) => one.startsWith('2020-01-01'))).toHaveLength(60)
      expect(seen).toEqual(seen.toSorted((one, other) => other.slice(0, 24).localeCompare(one.slice(0, 24))))
      const { said } = await run('customers', 'show', id)
      expect(said.join('\n')).toContain(`${formatNational(ported)}  SIM ${service.sim.iccid}`)
      expect(said.at(-1)).toMatch(/^More entries: --before \S+~\S+$/)
    },
  )

  test('the command “customers show” rejects an unknown customer and an invalid page position', async () => {
    const { id } = await makeCustomer(world())
    for (const none of [crypto.randomUUID(), 'x', '../tasks'])
      expect(await run('customers', 'show', none)).toMatchObject({
        exit: exitCodes.refused,
        complaints: ['There is no customer with this ID.'],
      })
    for (const place of ['x', '2026-13-45T00:00:00.000Z~a', `2026-01-01T00:00:00.000Z~'`])
      expect((await run('customers', 'show', id, '--before', place)).exit).toBe(exitCodes.refused)
  })
})

test('the command “customers sign-out” ends all of a customer’s sessions and records who ran the command', async () => {
  const customer = await makeCustomer(world())
  const other = await logInAs(world(), customer)
  expect(await run('customers', 'sign-out', customer.id, '--as', 'Hine')).toMatchObject({
    exit: exitCodes.done,
    said: ['Signed out everywhere.'],
  })
  for (const visitor of [customer.visitor, other])
    expect((await visitor.get('/api/account/')).body.authenticated).toBe(false)
  expect((await loggedIn(customer)).status).toBe(200)
  expect(await actsOf(customer.id, 'customer_signed_out')).toEqual([
    { event: 'customer_signed_out', actor: 'operator:Hine' },
  ])
})

describe('the commands “customers block” and “customers unblock”', () => {
  const sentence = () =>
    `Your account is blocked. Please call us on ${world().deps.help.phone} (${world().deps.help.hours}).`

  test(
    'blocking a customer ends their sessions and auto-renewal and prevents sign-in; unblocking allows sign-in again',
    { tags: ['slow'] },
    async () => {
      const customer = await createCustomerWithAllData(world())
      const { id, visitor, ported, service } = customer
      const { said } = await run('customers', 'block', id, '--as', 'Hine')
      expect(said).toEqual([
        'Blocked. The customer is signed out everywhere and can’t sign in or pay.',
        `Auto-renewal was switched off for ${formatNational(ported)}.`,
      ])
      expect((await visitor.get('/api/account/')).body.authenticated).toBe(false)
      expect(await loggedIn(customer)).toMatchObject({ status: 400, body: { __all__: [sentence()] } })
      // Only a correct password reveals that the account is blocked.
      expect((await loggedIn({ ...customer, password: 'wrong-one1' })).body).toEqual({
        __all__: ['Please enter a correct email address and password.'],
      })
      expect(await run('customers', 'block', id)).toMatchObject({
        exit: exitCodes.refused,
        complaints: ['This customer is already blocked.'],
      })
      expect((await ask('customers', 'show', id)).blocked).toEqual(expect.any(String))

      expect((await run('customers', 'unblock', id)).exit).toBe(exitCodes.done)
      expect((await run('customers', 'unblock', id)).complaints).toEqual(['This customer is not blocked.'])
      const again = await logInAs(world(), customer)
      const { body } = await again.get('/api/services/')
      expect(Object.values(body[service.id].schedules)).toMatchObject([{ auto_recharge_enabled: false }])
      await setAutoRenewal({ customer: { ...customer, visitor: again }, service }, 'PUT')
      expect((await renew(world(), again, service, { saved: true })).status).toBe(200)
      for (const event of ['customer_blocked', 'auto_renewal_disabled'])
        expect(await actsOf(id, event)).toEqual([{ event, actor: 'operator:Hine' }])
    },
  )

  test('a blocked customer can neither set a password nor add an order to the account', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    await run('customers', 'block', customer.id)
    const link = await requestResetLink(world(), customer.email)
    const visitor = world().visitor()
    expect(await submitReset(link, visitor, 'another-one1')).toMatchObject({
      status: 400,
      body: { __all__: [sentence()] },
    })
    const sim = await world().newSim()
    await visitor.post('/api/activate/sim/', { ...sim, setup_porting: false })
    const signup = { full_name: 'Ana Rewi', email: customer.email, marketing_consent: false }
    expect(await visitor.post('/api/activate/signup/', { ...signup, password: customer.password })).toMatchObject({
      status: 400,
      body: { __all__: [sentence()] },
    })
    // A signup with a different password is still accepted, because a stranger may have entered this email address.
    expect((await visitor.post('/api/activate/signup/', { ...signup, password: 'another-one1' })).status).toBe(200)
  })
})

describe('the command “customers unlock”', () => {
  test('when two customers are locked out, the command “customers unlock” lets only the named customer sign in again', async () => {
    const [customer, other] = [await makeCustomer(world()), await makeCustomer(world())]
    const wrong = async ({ email }: { email: string }) => (await loggedIn({ email, password: 'wrong-one1' })).status
    for (const one of [customer, other]) {
      for (let tries = 0; tries < 10; tries++) expect(await wrong(one)).toBe(400)
      expect(await wrong(one)).toBe(429)
    }
    expect((await ask('customers', 'show', customer.id)).limits).toContainEqual({
      of: 'sign-ins with the email address',
      used: 10,
      most: 100,
      until: expect.any(String),
    })
    expect((await run('customers', 'unlock', customer.id, '--as', 'Hine')).exit).toBe(exitCodes.done)
    expect((await loggedIn(customer)).status).toBe(200)
    expect(await wrong(other)).toBe(429)
    expect((await ask('customers', 'show', customer.id)).limits).toEqual([])
    expect(await actsOf(customer.id, 'customer_unlocked')).toEqual([
      { event: 'customer_unlocked', actor: 'operator:Hine' },
    ])
  })

  test('the command “customers unlock” resets the number of wrong PINs the customer has entered that day', async () => {
    const { id, visitor } = await makeCustomer(world(), { services: 1 })
    const change = { new_email: 'a@b.example' }
    const path = '/api/account/update_email/'
    expect((await visitor.post(path, change)).status).toBe(200)
    const day = Temporal.Instant.from(world().deps.clock.now().toString())
      .toZonedDateTimeISO(world().deps.market.zone)
      .toPlainDate()
      .toString()
    await world().db.insertInto('pin_tries').values({ user_id: id, day, wrong: 5 }).execute()
    expect((await visitor.post(path, change)).status).toBe(429)
    expect((await ask('customers', 'show', id)).limits).toContainEqual(
      expect.objectContaining({ of: 'wrong PINs for a new address', used: 5, most: 5 }),
    )
    await run('customers', 'unlock', id)
    expect((await visitor.post(path, change)).status).toBe(200)
  })
})

describe('the command “audit”', () => {
  test('the command “audit” lists what was done to a customer and by whom, newest first and in pages', async () => {
    const { id } = await makeCustomer(world())
    await run('customers', 'block', id, '--as', 'Hine')
    await run('customers', 'unblock', id, '--as', 'Mere')
    const { events } = await ask('audit', '--customer', id)
    expect(events.slice(0, 2)).toMatchObject([
      { event: 'customer_unblocked', actor: 'operator:Mere', customer: id },
      { event: 'customer_blocked', actor: 'operator:Hine', customer: id },
    ])
    expect(events.at(-1)).toMatchObject({ event: 'login', actor: 'customer' })
    for (let count = 0; count < 120; count++)
      await world()
        .db.insertInto('audit_events')
        .values({ at: new Date('2020-01-01T00:00:00Z'), event: 'login', user_id: id, session_id: null, details: '{}' })
        .execute()
    const first = await ask('audit', '--customer', id)
    const second = await ask('audit', '--customer', id, '--before', first.next)
    expect([first.events.length, second.next]).toEqual([100, null])
    expect(first.events.length + second.events.length).toBe(events.length + 120)
  })

  test('the command “audit” lists events since a given time, and requires either --since or --customer', async () => {
    const since = world().deps.clock.now().toString()
    const { id } = await makeCustomer(world())
    await run('customers', 'sign-out', id)
    const { events } = await ask('audit', '--since', since)
    expect(events[0]).toMatchObject({ event: 'customer_signed_out', customer: id })
    expect((await run('audit')).exit).toBe(exitCodes.usage)
    expect((await run('audit', '--since', since, '--customer', id)).exit).toBe(exitCodes.usage)
    for (const args of [
      ['--since', 'yesterday'],
      ['--customer', 'x'],
      ['--since', since, '--before', 'x'],
    ])
      expect((await run('audit', ...args)).exit).toBe(exitCodes.refused)
  })
})
