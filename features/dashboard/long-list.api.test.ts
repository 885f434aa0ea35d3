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

describe('server-rendered pages for a customer with 60 phone numbers', () => {
  test.each(['/', '/account/purchases/'])('%s lists the first 50 of 60 numbers and links to the rest', async (path) => {
    const first = await open(path)
    expect(first).toMatchObject({ status: 200, linked: uuids.slice(0, 50), next: `${path}?from=${uuids[50]}` })
    expect(first.known).toEqual(uuids.slice(0, 51))
    const second = await open(first.next!)
    expect(second).toMatchObject({ status: 200, linked: uuids.slice(50), next: undefined, known: uuids.slice(50) })
  })

  test('the renewal page loads only the first part of a customer’s 60 phone numbers and links to the rest', async () => {
    const { known, next } = await open('/services/renew/')
    expect({ known, next }).toEqual({ known: uuids.slice(0, 51), next: `/services/renew/?from=${uuids[50]}` })
  })

  test('a partial, server-rendered list of phone numbers is marked stale, so that the browser loads the full list', async () => {
    expect((await open('/')).isMarkedOld).toBe(true)
    expect((await open(`/?from=${uuids[50]}`)).isMarkedOld).toBe(true)
  })
})

test.each(['', 'detail/', 'history/', 'invoices/', 'number/', 'alerts/', 'addons/', 'port/'])(
  '/services/:uuid/%s loads for the last of a customer’s 60 numbers',
  async (page) => {
    const { status, known } = await open(`/services/${uuids[59]}/${page}`)
    expect({ status, known }).toEqual({ status: 200, known: [...uuids.slice(0, 51), uuids[59]] })
  },
)

test('the list of numbers on a service page includes the service’s own number even if the list starts at a later number', async () => {
  const { linked } = await open(`/services/${uuids[0]}/?from=${uuids[50]}`)
  expect(linked).toEqual([uuids[0], ...uuids.slice(50)])
})
