import { beforeEach, describe, expect, test } from 'vitest'
import { countLimitUse } from '#kit/server/limits.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { maxChangesPerHour } from './server/change-password.routes.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const change = (visitor: Visitor, old_password: unknown, new_password: unknown, password_confirm = new_password) =>
  visitor.post('/api/account/change_password/', { old_password, new_password, password_confirm })
const isSignedIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get('/api/account/')).body.authenticated
const wrong = 'That is not your current password.'

describe('rejected password changes', () => {
  const personal = 'Your password can’t contain your name or email address.'
  const common = 'This password is too easy to guess. Please choose another one.'
  const required = 'This field is required.'
  test.each([
    [
      'no input',
      {},
      {
        old_password: ['Please confirm your current password.'],
        new_password: [required],
        password_confirm: [required],
      },
    ],
    ['no current password', { old_password: '' }, { old_password: ['Please confirm your current password.'] }],
    [
      'a current password that is not a string',
      { old_password: ['korimako1'] },
      { old_password: ['Please confirm your current password.'] },
    ],
    ['a wrong current password', { old_password: 'korimako9' }, { old_password: [wrong] }],
    ['a current password that is far too long', { old_password: 'x'.repeat(10_000) }, { old_password: [wrong] }],
    [
      'a short new password',
      { new_password: 'kori1', password_confirm: 'kori1' },
      { new_password: ['Your password must be at least 6 characters.'] },
    ],
    [
      'a long new password',
      { new_password: 'x'.repeat(201), password_confirm: 'x'.repeat(201) },
      { new_password: ['Your password can be up to 200 characters.'] },
    ],
    [
      'a new password without a letter',
      { new_password: '123456', password_confirm: '123456' },
      { new_password: ['Your password must have at least one letter.'] },
    ],
    [
      'two different new passwords',
      { password_confirm: 'korimako3' },
      { password_confirm: ["The two password fields didn't match."] },
    ],
    [
      'the first name in the new password',
      { new_password: '1ngaio1', password_confirm: '1ngaio1' },
      { new_password: [personal] },
    ],
    [
      'the last name in the new password',
      { new_password: 'KAURI tree', password_confirm: 'KAURI tree' },
      { new_password: [personal] },
    ],
    ['a common new password', { new_password: 'Qwerty123', password_confirm: 'Qwerty123' }, { new_password: [common] }],
    [
      'a wrong current and a common new password',
      { old_password: 'x', new_password: 'password1', password_confirm: 'password1' },
      { old_password: [wrong], new_password: [common] },
    ],
    [
      'a wrong current and two different new passwords',
      { old_password: 'x', new_password: 'password1', password_confirm: 'password2' },
      { old_password: [wrong], new_password: [common], password_confirm: ["The two password fields didn't match."] },
    ],
    [
      'a wrong current and a short new password',
      { old_password: 'x', new_password: 'kori1', password_confirm: 'kori1' },
      { old_password: [wrong], new_password: ['Your password must be at least 6 characters.'] },
    ],
    [
      'a wrong current and no new password',
      { old_password: 'x', new_password: '', password_confirm: undefined },
      { old_password: [wrong], new_password: [required], password_confirm: [required] },
    ],
    [
      'an invalid current and two different new passwords',
      { old_password: 7, password_confirm: 'korimako3' },
      {
        old_password: ['Please confirm your current password.'],
        password_confirm: ["The two password fields didn't match."],
      },
    ],
  ])('rejects a password change with %s', async (_, changes, errors) => {
    const { visitor, password } = await makeCustomer(world(), { first_name: 'Ngaio', last_name: 'Kauri' })
    const good =
      Object.keys(changes).length === 0
        ? {}
        : { old_password: password, new_password: 'korimako2', password_confirm: 'korimako2' }
    const { status, body } = await visitor.post('/api/account/change_password/', { ...good, ...changes })
    expect({ status, body }).toEqual({ status: 400, body: errors })
    expect(await isSignedIn(visitor)).toBe(true)
  })

  test('rejects a new password that contains the customer’s email address', async () => {
    const { visitor, email, password } = await makeCustomer(world())
    for (const contained of [`${email}1`, `x${email.split('@')[0]?.toUpperCase()}`]) {
      expect(await change(visitor, password, contained)).toMatchObject({
        status: 400,
        body: { new_password: [personal] },
      })
    }
  })

  test('rejects a password change without a session, a verified email address or a CSRF token', async () => {
    expect((await change(world().visitor(), 'korimako1', 'korimako2')).status).toBe(401)
    const { visitor, password } = await makeCustomer(world(), { verified: false })
    expect((await change(visitor, password, 'korimako2')).status).toBe(403)
    const customer = await makeCustomer(world())
    const body = JSON.stringify({
      old_password: customer.password,
      new_password: 'korimako2',
      password_confirm: 'korimako2',
    })
    expect(
      (
        await customer.visitor.send('POST', '/api/account/change_password/', {
          body,
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(403)
    expect(await isSignedIn(await logInAs(world(), customer))).toBe(true)
  })
})

describe('changing the password', () => {
  test('a password change ends all other sessions and gives the current session a new token', async () => {
    const customer = await makeCustomer(world())
    const elsewhere = [await logInAs(world(), customer), await logInAs(world(), customer)]
    const stranger = await makeCustomer(world())
    const before = customer.visitor.cookie('fantail') ?? ''
    const { status, body } = await change(customer.visitor, customer.password, ' Tūī & <b>1</b> ')
    expect({ status, body }).toEqual({ status: 200, body: { message: 'Thank you, we’ve changed your password.' } })

    expect(await isSignedIn(customer.visitor)).toBe(true)
    for (const visitor of elsewhere) expect(await isSignedIn(visitor)).toBe(false)
    expect(await isSignedIn(stranger.visitor)).toBe(true)
    const thief = world().visitor()
    thief.setCookie('fantail', before)
    expect(await isSignedIn(thief)).toBe(false)
    // The customer's own tab keeps working, because the browser sends the new session token with its next request.
    expect((await change(customer.visitor, ' Tūī & <b>1</b> ', 'korimako3')).status).toBe(200)

    await expect(logInAs(world(), customer)).rejects.toThrow('login answered 400')
    expect(await isSignedIn(await logInAs(world(), { ...customer, password: 'korimako3' }))).toBe(true)
  })

  test('a password change sends an email and records an audit event, neither of which contains a password', async () => {
    const customer = await makeCustomer(world())
    await change(customer.visitor, customer.password, 'korimako2')
    const mail = await pollUntil(async () =>
      (await world().mailTo(customer.email)).find(({ subject }) => subject === 'Your password was changed'),
    )
    expect(mail.text).toContain(
      'If it wasn’t, set a new password with the link below straight away, and call us on 0800 326 824 (8 am to 8 pm).',
    )
    expect(mail.links).toContain(`${world().url}/forgot-password/`)
    const acts = await world()
      .db.selectFrom('audit_events')
      .selectAll()
      .where('user_id', '=', customer.id)
      .where('event', '=', 'password_changed')
      .execute()
    expect(acts).toHaveLength(1)
    expect(JSON.stringify([mail, acts])).not.toMatch(/korimako/)
  })

  test('only one of several concurrent password changes succeeds', async () => {
    const customer = await makeCustomer(world())
    const cookies = ['fantail', 'csrftoken'].map((name) => [name, customer.visitor.cookie(name) ?? ''] as const)
    const tabs = Array.from({ length: 5 }, () => {
      const tab = world().visitor()
      for (const [name, value] of cookies) tab.setCookie(name, value)
      return tab
    })
    const answers = await Promise.all(tabs.map((tab, index) => change(tab, customer.password, `korimako ${index}`)))
    const won = answers.findIndex(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 400, 401, 403]).toContain(status)
    expect(await isSignedIn(await logInAs(world(), { ...customer, password: `korimako ${won}` }))).toBe(true)
  })
})

test('a wrong current password counts towards the limit on wrong passwords even if the new password is also invalid', async () => {
  const { visitor, password } = await makeCustomer(world())
  for (let time = 0; time < 10; time++)
    expect((await change(visitor, `wrong ${time}`, 'kori1')).body).toMatchObject({ old_password: [wrong] })
  expect((await change(visitor, password, 'kori1')).status).toBe(429)
  expect((await change(visitor, password, 'korimako2')).status).toBe(429)
})

test('ten wrong passwords block password changes in every session, and correct passwords do not count towards that limit', async () => {
  const customer = await makeCustomer(world())
  const { visitor, password } = customer
  for (let time = 0; time < 9; time++) expect((await change(visitor, `wrong ${time}`, 'korimako2')).status).toBe(400)
  for (let time = 0; time < 3; time++)
    expect((await change(visitor, password, 'password1')).body).toEqual({ new_password: [expect.any(String)] })
  expect((await change(visitor, 'wrong 10', 'korimako2')).body).toEqual({ old_password: [wrong] })
  for (const from of [visitor, await logInAs(world(), customer)]) {
    const { status, headers } = await change(from, password, 'korimako2')
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

test('limits password changes per account, so getting a new session token does not reset the limit', async () => {
  const { id, visitor, password } = await makeCustomer(world())
  expect((await change(visitor, password, 'korimako2')).status).toBe(200)
  const limit = { key: `change-password:account:${id}`, times: maxChangesPerHour, seconds: 3_600 }
  for (let time = 0; time < maxChangesPerHour - 2; time++) await countLimitUse(world().db, [limit])
  expect((await change(visitor, 'korimako2', 'korimako3')).status).toBe(200)
  expect((await change(visitor, 'korimako3', 'korimako4')).status).toBe(429)
})
