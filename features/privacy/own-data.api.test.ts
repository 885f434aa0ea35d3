import { beforeEach, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { openTicket, sealTicket } from './server/data-ticket.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const ask = (visitor: Visitor, password: string, format?: string): Promise<Answer> =>
  visitor.post('/api/account/privacy/data/', { password, ...(format && { format }) })
async function download(visitor: Visitor, password: string, format: string): Promise<Answer> {
  const { status, body } = await ask(visitor, password, format)
  expect(status).toBe(200)
  return visitor.get(body.url)
}
const downloadsOf = (userId: string) =>
  world()
    .db.selectFrom('audit_events')
    .select('details')
    .where('user_id', '=', userId)
    .where('event', '=', 'data_downloaded')
    .execute()

describe('download of a customer’s own data', () => {
  test('a customer can download their data as JSON or as escaped HTML, and the download is not cached', async () => {
    const { id, visitor, email, password, ported, second } = await createCustomerWithAllData(world())
    const { status, headers, body: all } = await download(visitor, password, 'json')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="your-data-\d{4}-\d\d-\d\d\.json"$/)
    expect(all).toMatchObject({
      person: { id, email, contact_phone: ported },
      saved_card: { last_four: '1111' },
      numbers: [{ msisdn: ported }, { msisdn: second.msisdn }],
      transfers: [{ msisdn: ported, status: 'COMPLETED' }],
      refunds: [],
    })
    expect(all.orders).toHaveLength(3)
    expect(all.acts.at(-1)).toMatchObject({ event: 'data_downloaded', actor: 'customer' })
    expect(await downloadsOf(id)).toEqual([{ details: { format: 'json' } }])
    const { events } = (await visitor.get('/api/account/security_events/')).body
    expect(events[0].text).toBe('A copy of the data we hold about you was downloaded.')

    const name = '<script>alert(1)</script>'
    await world().db.updateTable('users').set({ first_name: name }).where('id', '=', id).execute()
    const page = await download(visitor, password, 'html')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-disposition')).toMatch(/\.html"$/)
    for (const said of [
      'Emails and texts we sent you',
      'Number transfers',
      email,
      formatNational(ported),
      '&lt;script&gt;alert(1)',
    ])
      expect(page.body).toContain(said)
    expect(page.body).not.toContain('<script')
    expect(page.body.trim()).toMatch(/<\/html>$/)
  })

  test('the download of a customer’s data includes every failed login, even if there are 1,200', async () => {
    const { id, visitor, password } = await makeCustomer(world())
    const at = toDate(world().deps.clock.now())
    const acts = Array.from({ length: 1_200 }, () => ({
      at,
      event: 'login_failed',
      user_id: id,
      session_id: null,
      details: '{}',
    }))
    await world().db.insertInto('audit_events').values(acts).execute()
    const { body: all } = await download(visitor, password, 'json')
    expect(all.acts.filter(({ event }: { event: string }) => event === 'login_failed')).toHaveLength(1_200)
  })
})

describe('download tickets', () => {
  test('every download ticket requires the password, and the number of wrong passwords is limited', async () => {
    const { visitor, id } = await makeCustomer(world())
    expect((await ask(visitor, '')).body).toEqual({ password: ['Please enter your current password.'] })
    expect((await ask(visitor, 'not it 1')).body).toEqual({ password: ['That is not your current password.'] })
    expect((await visitor.post('/api/account/privacy/data/', {})).status).toBe(400)
    for (let tries = 2; tries <= 10; tries++) expect((await ask(visitor, `not it ${tries}`)).status).toBe(400)
    expect((await ask(visitor, 'not it 11')).status).toBe(429)
    expect(await downloadsOf(id)).toEqual([])
  })

  test('rejects a download format other than JSON and HTML', async () => {
    const { visitor, password } = await makeCustomer(world())
    expect((await ask(visitor, password, 'pdf')).body).toEqual({ format: ['Please choose a format.'] })
  })

  test('a download ticket works only in its own session, and not after logging out', async () => {
    const [customer, stranger] = [await makeCustomer(world()), await makeCustomer(world())]
    const { url } = (await ask(customer.visitor, customer.password)).body
    const elsewhere = await logInAs(world(), customer)
    for (const visitor of [stranger.visitor, elsewhere, world().visitor()]) {
      const { status, headers } = await visitor.get(url)
      expect([status, headers.get('location')]).toEqual([302, '/account/privacy/'])
    }
    await customer.visitor.post('/api/account/logout/')
    expect((await customer.visitor.get(url)).status).toBe(302)
    expect(await downloadsOf(customer.id)).toEqual([])
  })

  test('a missing or invalid download ticket results in a redirect instead of a file', async () => {
    const { visitor } = await makeCustomer(world())
    for (const query of ['', '?ticket=', '?ticket=x', `?ticket=${'a'.repeat(2_000)}`, '?ticket=a&ticket=b'])
      expect((await visitor.get(`/documents/your-data${query}`)).status).toBe(302)
  })

  test('a download ticket stops working once it has expired', () => {
    const { secrets } = world().deps
    const ticket = { userId: 'u', sessionId: 's', format: 'json' } as const
    expect(openTicket(secrets, sealTicket(secrets, ticket))).toMatchObject(ticket)
    const sealed = (until: number): string =>
      Buffer.from(secrets.seal(JSON.stringify({ about: 'own-data', ...ticket, until })), 'base64').toString('base64url')
    expect(openTicket(secrets, sealed(realNow().epochMilliseconds + 1_000))).not.toBeNull()
    expect(openTicket(secrets, sealed(realNow().epochMilliseconds - 1))).toBeNull()
  })

  test('a download ticket works three times, so that a browser may repeat the request', async () => {
    const { id, visitor, password } = await makeCustomer(world())
    const { url } = (await ask(visitor, password)).body
    const answers = []
    for (let time = 0; time < 4; time++) answers.push((await visitor.get(url)).status)
    expect(answers).toEqual([200, 200, 200, 429])
    expect(await downloadsOf(id)).toHaveLength(3)
  })

  test('issues at most ten download tickets an hour to a customer', async () => {
    const { visitor, password } = await makeCustomer(world())
    const answers = []
    for (let time = 0; time < 11; time++) answers.push((await ask(visitor, password)).status)
    expect([answers.filter((status) => status === 200).length, answers.at(-1)]).toEqual([10, 429])
  })
})
