import { beforeAll, expect, test } from 'vitest'
import { copyPurchase } from '#quality/support/copied-purchases.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { useWorld } from '#quality/support/world.ts'
import { type DocumentRow, purchaseMessages, purchasesPerPage } from './invoices.contract.ts'

const world = useWorld()
let customer: Subscriber
beforeAll(async () => {
  customer = await makeSubscriber(world(), { card: true })
})
const list = () => `/api/account/invoices/${customer.service.id}/`

test('a long purchase history is returned in pages, newest first, and lists each purchase exactly once', async () => {
  await copyPurchase(world(), customer.service.orderCode, 2 * purchasesPerPage + 5)
  await world()
    .db.updateTable('invoices')
    .set({ created_at: new Date(Date.now() - 86_400_000) })
    .where('order_code', 'like', 'FC%')
    .execute()
  const pages: DocumentRow[][] = []
  for (let before = ''; ;) {
    const { status, body } = await customer.visitor.get(`${list()}${before && `?before=${before}`}`)
    expect(status).toBe(200)
    pages.push(body)
    const last = pages.at(-1)?.at(-1)
    if (!last || last.is_oldest) break
    before = last.order_code
  }
  expect(pages.map(({ length }) => length)).toEqual([purchasesPerPage, purchasesPerPage, 6])
  const codes = pages.flat().map(({ order_code }) => order_code)
  expect(new Set(codes).size).toBe(2 * purchasesPerPage + 6)
  expect(codes[0]).toBe(customer.service.orderCode)
  expect(pages.flat().filter(({ is_oldest }) => is_oldest)).toHaveLength(1)
})

test('rejects a request for the purchases before a given order if that order belongs to a different service or customer', async () => {
  const other = await makeSubscriber(world())
  const answers = [
    await customer.visitor.get(`${list()}?before=${other.service.orderCode}`),
    await customer.visitor.get(`${list()}?before=FT0000000000`),
    await customer.visitor.get(`${list()}?before=${'a'.repeat(100)}`),
    await customer.visitor.get(`/api/account/invoices/${other.service.id}/?before=${other.service.orderCode}`),
  ]
  expect(answers.slice(0, 3).map(({ status, body }) => [status, body])).toEqual(
    answers.slice(0, 3).map(() => [400, { before: [purchaseMessages.place] }]),
  )
  expect(answers[3]?.status).toBe(404)
})
