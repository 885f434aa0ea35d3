import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { sendDispute } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { reads } from './account.ts'
import { inspectDesk, collectCaseTimes, sitAt } from './desk-helpers.ts'
import { usePortal } from './use-portal.ts'

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
const world = portal.world
const diary = collectCaseTimes()

async function aChargeback(orderCode: string): Promise<string> {
  const due = new Date(Date.now() + 9 * 86_400_000).toISOString()
  await sendDispute(world(), { reference: `${orderCode}-1`, event: 'CHARGEBACK', due, reason: 'Goods not received' })
  return pollUntil(async () => {
    const row = await world()
      .db.selectFrom('disputes')
      .innerJoin('orders', 'orders.id', 'disputes.order_id')
      .select('psp_reference')
      .where('order_code', '=', orderCode)
      .executeTakeFirst()
    return row?.psp_reference
  })
}

test('staff look at the evidence for a chargeback and record that they are contesting it', async () => {
  const customer = await makeCustomer(world(), { card: true, plan: 'plan-30-5gb' })
  const { orderCode } = customer.services[0]!
  const reference = await aChargeback(orderCode)
  const mere = await sitAt(portal, diary, /Mere Ngata/)
  const { page, key, type } = mere

  // Keep pressing the shortcut, because it only works once the page's script has loaded.
  const money = page.getByRole('heading', { level: 1, name: 'Money' })
  await expect.poll(async () => (await money.count()) > 0 || (await key('g'), await key('m'), false)).toBe(true)
  await page.getByRole('link', { name: reference }).waitFor()
  await inspectDesk(mere)
  await key('j')
  await key('Enter')
  await page.getByRole('heading', { level: 1, name: reference }).waitFor()
  const evidence = page.getByRole('region', { name: 'Evidence', exact: true })
  await reads(page, 'Activate SIM')
  expect(await evidence.getByRole('heading', { name: 'Usage since the order' }).count()).toBe(1)
  expect(await evidence.getByText(customer.email).count()).toBe(0)
  await inspectDesk(mere)
  const file = await mere.aside(async () => {
    const answer = await page.request.get(`/api/desk/money/disputes/${reference}/evidence/`)
    return (await answer.body()).subarray(0, 5).toString()
  })
  expect(file).toBe('%PDF-')

  await key('e')
  const drawer = page.getByRole('dialog', { name: 'Contest this dispute' })
  await drawer.waitFor()
  await inspectDesk(mere)
  await mere.reach(drawer.getByLabel('Reference on the gateway’s site'))
  await type('DEF-20261126')
  await mere.choose(drawer.getByLabel('Reason'), 'It was delivered and used')
  await mere.enter(drawer.getByRole('button', { name: 'Evidence submitted' }))
  await reads(page, 'Dispute contested. It stays on the list until the gateway reports the outcome.')
  await page.getByText(/submitted evidence on the gateway’s site/).waitFor()
  mere.tell('chargeback, evidence looked at and contested')
  await inspectDesk(mere)

  const acts = await world()
    .db.selectFrom('audit_events')
    .select(['actor', 'reason'])
    .where('event', '=', 'dispute_contested')
    .execute()
  expect(acts).toEqual([{ actor: 'staff:Mere Ngata', reason: 'used' }])
  const tasks = await world()
    .db.selectFrom('operator_tasks')
    .select(['reason', 'due_at'])
    .where('subject', '=', reference)
    .where('done_at', 'is', null)
    .execute()
  expect(tasks).toEqual([{ reason: expect.stringContaining('DEF-20261126'), due_at: expect.any(Date) }])

  for (const [path, name] of [
    ['/money/refunds/', 'Refunds that have not arrived'],
    ['/money/days/', 'Days'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 2, name }).waitFor()
    await inspectDesk(mere)
  }
})
