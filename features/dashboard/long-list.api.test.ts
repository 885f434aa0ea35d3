import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { copyService } from '#quality/support/copied-services.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ pages: 'built' })

let customer: Customer
let uuids: string[]
beforeAll(async () => {
  customer = await makeCustomer(world(), { card: true, services: 1 })
  await copyService(world(), customer.services[0]!.id, 59)
  const { rows } = await sql<{ id: string }>`
    select id from services where user_id = ${customer.id} order by created_at, id`.execute(world().db)
  uuids = rows.map(({ id }) => id)
})

type State = { queries: [key: string[], data: object, at?: number][] }

/** A page as its server renders it: which numbers it links to, where more are, and which of them its data has. */
async function open(path: string) {
  const cookie = customer.visitor
    .cookies()
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const answer = await fetch(world().url + path, { headers: { cookie }, redirect: 'manual' })
  const html = await answer.text()
  const state = JSON.parse(/id="state">(.*?)<\/script>/.exec(html)?.[1] ?? '') as State
  const [, services = {}, at] = state.queries.find(([[name]]) => name === 'services') ?? []
  const [, numbers] = state.queries.find(([[name]]) => name === 'numbers') ?? []
  return {
    status: answer.status,
    linked: uuids.filter((uuid) => html.includes(`href="/services/${uuid}/`)),
    next: /href="([^"]*\?from=[^"]*)"/.exec(html)?.[1],
    known: numbers ? (numbers as { uuid: string }[]).map(({ uuid }) => uuid) : Object.keys(services),
    isMarkedOld: at === 0,
  }
}

describe('a page that lists 60 numbers, before its script has run', () => {
  test.each(['/', '/account/purchases/'])('%s has 50, and a link to the others', async (path) => {
    const first = await open(path)
    expect(first).toMatchObject({ status: 200, linked: uuids.slice(0, 50), next: `${path}?from=${uuids[50]}` })
    expect(first.known).toEqual(uuids.slice(0, 51))
    const second = await open(first.next!)
    expect(second).toMatchObject({ status: 200, linked: uuids.slice(50), next: undefined, known: uuids.slice(50) })
  })

  test('of renewals has 50, too', async () => {
    const { known, next } = await open('/services/renew/')
    expect({ known, next }).toEqual({ known: uuids.slice(0, 51), next: `/services/renew/?from=${uuids[50]}` })
  })

  test('tells the browser that its numbers are not all of them', async () => {
    expect((await open('/')).isMarkedOld).toBe(true)
    expect((await open(`/?from=${uuids[50]}`)).isMarkedOld).toBe(true)
  })
})

test.each(['', 'detail/', 'history/', 'invoices/', 'number/', 'alerts/', 'addons/', 'port/'])(
  'the page /services/:uuid/%s of the last of 60 numbers is found',
  async (page) => {
    const { status, known } = await open(`/services/${uuids[59]}/${page}`)
    expect({ status, known }).toEqual({ status: 200, known: [...uuids.slice(0, 51), uuids[59]] })
  },
)

test('the page of a number that starts its list elsewhere has both', async () => {
  const { linked } = await open(`/services/${uuids[0]}/?from=${uuids[50]}`)
  expect(linked).toEqual([uuids[0], ...uuids.slice(50)])
})
