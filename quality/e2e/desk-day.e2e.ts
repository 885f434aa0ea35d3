import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff } from '#quality/support/desk-visitor.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { getButton, reads } from './account.ts'
import { find, inspectDesk, collectCaseTimes, openCustomerFromTask, sitAt } from './desk-helpers.ts'
import { type Size, usePortal } from './use-portal.ts'

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
const world = portal.world

const diary = collectCaseTimes()
const sits = (name: RegExp, size?: Size) => sitAt(portal, diary, name, size)

test('staff resend an email that did not arrive, and the audit trail records who did so and why', async () => {
  const customer = await makeCustomer(world(), { services: 1, last_name: 'Tamihana' })
  const before = await pollUntil(async () => {
    const mails = await world().mailTo(customer.email)
    return mails.length > 0 && mails
  })
  const hine = await sits(/Hine Walker/)
  await find(hine, customer.email)
  await openCustomerFromTask(hine, 'A call', 'Ana Tamihana')
  await inspectDesk(hine)
  await hine.press(hine.page.getByRole('button', { name: 'Send again' }).first())
  const drawer = hine.page.getByRole('dialog')
  await hine.choose(drawer.getByLabel('Reason'), 'Not delivered')
  await hine.enter(drawer.getByRole('button', { name: 'Send again' }))
  await drawer.waitFor({ state: 'detached' })
  hine.tell('mail never came')
  const after = await pollUntil(async () => {
    const mails = await world().mailTo(customer.email)
    return mails.length > before.length && mails
  })
  expect(after[0]?.subject).toBeTruthy()
  const acts = await world()
    .db.selectFrom('audit_events')
    .select(['actor', 'reason', 'event'])
    .where('user_id', '=', customer.id)
    .where('event', '=', 'message_resent')
    .execute()
  expect(acts).toEqual([
    { actor: 'staff:Hine Walker', reason: expect.stringContaining('not-delivered'), event: 'message_resent' },
  ])
})

test(
  'half of a plan is refunded with a second person’s approval, and the customer is notified by email',
  { tags: ['journey'] },
  async () => {
    const customer = await makeCustomer(world(), { card: true, plan: 'plan-30-5gb' })
    const { orderCode } = customer.services[0]!
    const hine = await sits(/Hine Walker/)
    await find(hine, orderCode)
    await hine.page.getByRole('heading', { level: 1, name: orderCode }).waitFor()
    await hine.key('r')
    const drawer = hine.page.getByRole('dialog')
    await drawer.waitFor()
    await inspectDesk(hine)
    await hine.reach(drawer.getByLabel('Amount'))
    await hine.type('11.00')
    await hine.choose(drawer.getByLabel('Reason'), 'Wrong plan')
    await hine.enter(drawer.getByRole('button', { name: 'Request approval' }))
    await reads(hine.page, 'Request sent. You’ll see the result on the Today page.')
    hine.tell('wrong plan, asked for')
    const mere = await sits(/Mere Ngata/, 'phone')
    const card = mere.page.getByRole('article', { name: new RegExp(orderCode) })
    await card.waitFor()
    await inspectDesk(mere)
    await mere.press(card.getByRole('button', { name: /Approve|Refund/ }))
    await card.waitFor({ state: 'detached' })
    mere.tell('wrong plan, approved')
    await pollUntil(async () =>
      (await world().mailTo(customer.email)).some(({ subject }) => /refund|credit/i.test(subject)),
    )
    const given = await world()
      .db.selectFrom('refunds')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .select(['refunds.amount_cents'])
      .where('order_code', '=', orderCode)
      .execute()
    expect(given).toEqual([{ amount_cents: 1_100 }])
  },
)

test('admins cannot see customer records, and support staff can open one only after giving a reason', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const jo = await sits(/Jo Tan/)
  expect(await jo.page.getByRole('link', { name: 'Customers' }).count()).toBe(0)
  await jo.page.goto(`/customers/${customer.id}/`)
  expect(await jo.page.getByText(customer.email).count()).toBe(0)
  const hine = await sits(/Hine Walker/, 'phone')
  await hine.page.goto(`/customers/${customer.id}/`)
  await hine.page.getByText('Why do you need to see this customer?').waitFor()
  expect(await hine.page.getByText(customer.services[0]!.msisdn).count()).toBe(0)
  await inspectDesk(hine)
  await hine.press(hine.page.getByRole('button', { name: 'An internal check' }))
  await hine.page.getByRole('heading', { name: 'What happened' }).waitFor()
  await inspectDesk(hine)
  expect(await getButton(hine.page, 'Unblock').count()).toBe(0)
  expect(demoStaff.admin).toContain('jo')
})
