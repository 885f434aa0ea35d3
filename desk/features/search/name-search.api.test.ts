import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import type { ResultRow, SearchResults } from './search.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

async function search(text: string): Promise<SearchResults> {
  const staff = await newStaffVisitor(world().deskUrl ?? '', demoStaff.support)
  return (await staff.get(`/api/desk/search/?q=${encodeURIComponent(text)}`)).body
}
const rowsOf = ({ groups }: SearchResults): ResultRow[] => groups.flatMap(({ rows }) => rows)
const find = async (text: string) => rowsOf(await search(text))
const marked = ({ hit, mark }: ResultRow) => mark && hit.slice(mark.start, mark.start + mark.length)

describe('searching by name', () => {
  test.each([
    [
      'Ngāwai',
      'Te Whētū',
      ['Ngawai', 'NGĀWAI', 'Nga\u0304wai', 'Te Whetu', 'whetu', 'whetu ngawai', 'Whētū, Ngāwai', 'ngaw whe'],
    ],
    ['Sione', 'Fa’asavalu', ['Fa’asavalu', "Fa'asavalu", 'Faʻasavalu', 'faasavalu', 'FA‘ASA', "sione fa'a"]],
    ['Aoife', 'O’Brien', ["O'Brien", 'O’Brien', 'obrien', "o'brien aoife", 'O\u00adBrien']],
    ['Zoë', 'Åström-Łukasik', ['zoe', 'astrom', 'Lukasik', 'Åström-Łukasik', 'lukasik zoe', 'A\u030astro\u0308m']],
    ['Søren', 'Weiß', ['soren', 'SØREN', 'weiss', 'Weiß']],
  ])(
    '%s %s is found whatever the case, diacritics, apostrophes and order of words',
    async (first_name, last_name, texts) => {
      const { id } = await makeCustomer(world(), { first_name, last_name })
      for (const text of texts)
        expect([text, (await find(text)).map(({ href }) => href)]).toEqual([
          text,
          expect.arrayContaining([`/customers/${id}/`]),
        ])
    },
  )

  test('a name must have every word of the search text', async () => {
    await makeCustomer(world(), { first_name: 'Hēmi', last_name: 'Tāwhiri' })
    expect(await find('hemi tawhiri')).toHaveLength(1)
    expect(await find('hemi tawhaki')).toEqual([])
    expect(await find('awhiri')).toEqual([])
  })

  test('the results mark the letters that match, with their macrons and apostrophes', async () => {
    await makeCustomer(world(), { first_name: 'Māui', last_name: 'Pōtiki' })
    await makeCustomer(world(), { first_name: 'Fa’afetai', last_name: 'Leota' })
    expect((await find('mau')).map(marked)).toEqual(['Māu'])
    expect((await find('potiki')).map(marked)).toEqual(['Pō'])
    expect((await find("fa'afe")).map(marked)).toEqual(['Fa’afe'])
  })

  test('customers with exactly the typed words are listed even if many longer names match', async () => {
    for (let count = 0; count < 9; count++) await makeCustomer(world(), { last_name: 'Qqlonger' })
    const { id } = await makeCustomer(world(), { last_name: 'Qq' })
    expect((await find('qq'))[0]).toMatchObject({ href: `/customers/${id}/` })
  })
})

test('a customer is found by a number without its prefix, with direction marks, and in a tel: link', async () => {
  const { id, services } = await makeCustomer(world(), { services: 1 })
  const number = services[0]?.msisdn ?? ''
  const national = formatNational(number)
  const withoutPrefix = national.slice(4)
  for (const text of [withoutPrefix, `tel:${number}`, `<${number}>`, `\u202d${national}\u202c`])
    expect([text, (await find(text)).map(({ href }) => href)]).toEqual([text, [`/customers/${id}/`]])
  const [row] = await find(withoutPrefix)
  expect(row && marked(row)?.replaceAll(' ', '')).toBe(withoutPrefix.replaceAll(' ', ''))
})

describe('unfinished and failed activations', () => {
  test('a failed payment is found by name, email address, number and SIM, and links to its order', async () => {
    const email = newEmail()
    const visitor = await advanceWizardTo(world(), 'PAYMENT', { full_name: 'Wīremu Ōtene', email })
    expect((await visitor.pay({ holder: 'DECLINED' })).status).toBe(400)
    const { db } = world()
    const order = await db.selectFrom('orders').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    const texts = [
      'otene wiremu',
      email,
      order.msisdn,
      formatNational(order.msisdn).slice(4),
      order.iccid,
      order.iccid.slice(-4),
    ]
    for (const text of texts)
      expect([text, await find(text)]).toEqual([
        text,
        expect.arrayContaining([
          expect.objectContaining({
            kind: 'activation',
            hit: formatNational(order.msisdn),
            name: 'Wīremu Ōt•••••',
            email: expect.stringContaining('•••••@'),
            detail: expect.stringContaining(`Activation: payment refused · ${order.order_code} · `),
            state: 'Failed',
            href: `/orders/${order.order_code}/`,
          }),
        ]),
      ])
  })

  test('an activation that stopped before the payment is found by name, email address, number and SIM', async () => {
    const email = newEmail()
    await advanceWizardTo(world(), 'METHOD_ENTERED', { full_name: 'Rāwiri Kōpū', email })
    const { db } = world()
    const { msisdn, iccid } = await db
      .selectFrom('activations')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    for (const text of ['kopu', email, msisdn, iccid])
      expect([text, await find(text)]).toEqual([
        text,
        [
          expect.objectContaining({
            kind: 'activation',
            hit: formatNational(msisdn),
            name: 'Rāwiri Kō•••••',
            detail: expect.stringMatching(/^Activation: stopped at the choice of plan · \d\d \w{3} \d{4}$/),
            state: 'Unfinished',
            href: `/find/?q=${formatNational(msisdn).replaceAll(' ', '+')}`,
          }),
        ],
      ])
  })

  test('a completed activation is listed as a customer and a number only', async () => {
    const { email } = await makeCustomer(world(), { last_name: 'Qqcompleted' })
    for (const text of [email, 'qqcompleted']) expect((await find(text)).map(({ kind }) => kind)).toEqual(['customer'])
  })
})

test('a search for a mistyped order code says that no order has it', async () => {
  expect(await search('FT0123456789')).toMatchObject({ order_missing: true, groups: [] })
  expect(await search('ft 0123-456789')).toMatchObject({ order_missing: true, groups: [] })
  expect(await search('Ftaana')).toMatchObject({ order_missing: false, groups: [] })
})
