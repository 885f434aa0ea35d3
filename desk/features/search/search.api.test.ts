import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { exhaustNewestLimit } from '#quality/support/exhaust-newest-limit.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { useWorld } from '#quality/support/world.ts'
import type { ResultGroup, ResultRow, SearchResults } from './search.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })
const staff = (email: string | null = demoStaff.support) => newStaffVisitor(world().deskUrl ?? '', email)
const pathFor = (text: string) => `/api/desk/search/?q=${encodeURIComponent(text)}`
const searched = async (text: string) => ((await (await staff()).get(pathFor(text))).body as SearchResults).groups
const rowsOf = (groups: ResultGroup[]): ResultRow[] => groups.flatMap(({ rows }) => rows)
const marked = ({ hit, mark }: ResultRow) => mark && hit.slice(mark.start, mark.start + mark.length)

describe('search at the desk', () => {
  test('a customer is found by number, name, email, SIM, card or order, with the match marked and the data masked', async () => {
    const { id, ported, service, email, first_name: first, last_name: last } = await createCustomerWithAllData(world())
    const mine = async (text: string) => rowsOf(await searched(text)).filter(({ href }) => href === `/customers/${id}/`)
    const name = `${first} ${last.slice(0, 2)}•••••`
    const address = `${email.slice(0, 2)}•••••${email.slice(email.indexOf('@'))}`
    const national = formatNational(ported)

    for (const text of [ported, national, ported.slice(1), ported.slice(3)])
      expect(await mine(text)).toEqual([
        {
          kind: 'number',
          hit: national,
          mark: { start: 0, length: national.length },
          name,
          email: address,
          detail: expect.stringMatching(/, until \d\d \w{3} \d{4}$/),
          state: 'Number',
          href: `/customers/${id}/`,
        },
      ])
    expect((await mine(national.slice(0, 7))).map(marked)).toContainEqual(national.slice(0, 7))
    const [byEnd] = (await mine(ported.slice(-4))).filter(({ kind }) => kind === 'number')
    expect(byEnd && marked(byEnd)?.replaceAll(' ', '')).toBe(ported.slice(-4))
    expect(await mine(email.toUpperCase())).toMatchObject([
      { kind: 'customer', hit: address, mark: { start: 0, length: 2 } },
    ])
    expect(await mine(last)).toMatchObject([
      { kind: 'customer', hit: name, mark: { start: first.length + 1, length: 2 } },
    ])
    expect((await mine(first.slice(0, 4).toUpperCase())).map(marked)).toEqual([first.slice(0, 4)])
    expect(await mine(service.sim.iccid)).toMatchObject([{ kind: 'sim', hit: `•••• ${service.sim.iccid.slice(-4)}` }])
    expect(await mine('1111')).toContainEqual(
      expect.objectContaining({ kind: 'card', hit: 'Visa •••• 1111', mark: { start: 10, length: 4 } }),
    )
    const [order] = rowsOf(await searched(service.orderCode.slice(0, 9).toLowerCase()))
    expect(order).toMatchObject({ kind: 'order', hit: service.orderCode, href: `/orders/${service.orderCode}/`, name })
    expect(order && marked(order)).toBe(service.orderCode.slice(0, 9))

    const all = JSON.stringify(
      await Promise.all([ported, email, last, service.sim.iccid, service.orderCode, '1111'].map(searched)),
    )
    for (const secret of [email, last, service.sim.iccid]) expect(all).not.toContain(secret)
  })

  test('a declined order without an account is found by its order code, with the customer’s name masked', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { full_name: 'Rewi Parata' })
    expect((await traveller.pay({ holder: 'DECLINED' })).status).toBe(400)
    const { order_code: code } = await world()
      .db.selectFrom('orders')
      .select('order_code')
      .where('state', '=', 'refused')
      .where('user_id', 'is', null)
      .executeTakeFirstOrThrow()
    expect(rowsOf(await searched(code))).toMatchObject([
      { kind: 'order', name: 'Rewi Pa•••••', detail: expect.stringContaining('payment refused') },
    ])
  })

  test('search shows at most eight results of each kind, and says whether there are more', async () => {
    for (let count = 0; count < 9; count++) await makeCustomer(world(), { last_name: 'Wwwmany' })
    const [group] = await searched('wwwman')
    expect(group).toMatchObject({ kind: 'customer', title: 'Customers', more: true, too_long: false })
    expect(group?.rows).toHaveLength(8)
  })

  test('a search finds nothing for wildcards and unknown text, and rejects card numbers and overlong text', async () => {
    for (const text of ['', '%', '_%', "'", 'nobody@nowhere.example', '0299999999999'])
      expect(await searched(text)).toEqual([])
    expect((await (await staff()).get(pathFor('x'.repeat(255)))).status).toBe(400)
    expect((await (await staff()).get(pathFor('4111 1111 1111 1111'))).status).toBe(400)
  })

  test('a search is recorded with its kind and number of results, never with its text', async () => {
    const { email, last_name } = await makeCustomer(world(), { last_name: 'Zzzkept' })
    const { db } = world()
    const newest = () => db.selectFrom('access_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    await searched(email)
    const byAddress = await newest()
    expect(byAddress).toMatchObject({
      act: 'searched',
      user_id: null,
      detail: 'email: 1',
      subject: expect.stringMatching(/^[\da-f]{64}$/),
    })
    await searched(last_name)
    expect(await newest()).toMatchObject({ act: 'searched', detail: 'name, email: 1' })
    const kept = JSON.stringify(await db.selectFrom('access_log').selectAll().execute()).toLowerCase()
    for (const text of [email, last_name]) expect(kept).not.toContain(text.toLowerCase())
    await searched('  ')
    expect((await db.selectFrom('access_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()).detail).toBe(
      'name, email: 1',
    )
  })

  test('a voucher is found only by its whole code, and the results do not show the code', async () => {
    const code = await world().newVoucher()
    const end = code.slice(-4)
    const vouchers = async (text: string) =>
      (await searched(text)).filter(({ kind }) => kind === 'voucher').flatMap(({ rows }) => rows)
    const unused = await vouchers(code)
    expect(unused).toEqual([
      {
        kind: 'voucher',
        hit: `•••• ${end}`,
        mark: { start: 5, length: 4 },
        name: '',
        email: '',
        detail: expect.stringMatching(/^5 GB Prepay Plan, valid until \d\d \w{3} \d{4}$/),
        state: 'Unused voucher',
        href: expect.stringMatching(/^\/stock\//),
      },
    ])
    expect(await vouchers(`${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)}`.toLowerCase())).toEqual(unused)
    expect(await vouchers(code.slice(0, 11))).toEqual([])

    const { orderCode } = await activate(world(), { voucher: code })
    expect(await vouchers(code)).toMatchObject([
      { state: 'Used voucher', detail: expect.stringMatching(/, used on /), href: `/orders/${orderCode}/` },
    ])
    const kept = JSON.stringify(await world().db.selectFrom('access_log').selectAll().execute())
    expect(kept).toContain('voucher: 1')
    expect(kept.toUpperCase()).not.toContain(code)
  })

  test('only support and finance can search for customers', async () => {
    expect((await (await staff(demoStaff.lead)).get(pathFor('ana'))).status).toBe(200)
    expect((await (await staff(demoStaff.admin)).get(pathFor('ana'))).status).toBe(403)
    expect((await (await staff(null)).get(pathFor('ana'))).status).toBe(401)
    expect((await world().visitor().get(pathFor('ana'))).status).toBe(404)
  })

  test('each staff member can search 240 times per hour', async () => {
    const { db } = world()
    await staff(demoStaff.lead).then((visitor) => visitor.get(pathFor('ana')))
    await exhaustNewestLimit(db, 240)
    const refused = await Promise.all(
      [demoStaff.lead, demoStaff.support].map(async (email) => (await (await staff(email)).get(pathFor('ana'))).status),
    )
    expect(refused.toSorted()).toEqual([200, 429])
  })
})
