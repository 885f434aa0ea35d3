import { expect, test } from 'vitest'
import { noticeTexts } from '#features/notices/notice-texts.contract.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { buyAddOn, endOf } from '#quality/support/purchases.ts'
import { readProviderRecords } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { openPageAsCustomer, reads } from './account.ts'
import { inspectDesk, collectCaseTimes, sitAt } from './desk-helpers.ts'
import { useStandaloneSimulators } from './standalone-simulators.ts'
import { usePortal } from './use-portal.ts'

const simulators = useStandaloneSimulators()
const portal = usePortal({ env: () => ({ ...simulators.env(), DESK_PORT: '0' }) })
const world = portal.world
const diary = collectCaseTimes()

const outage = () =>
  world().db.selectFrom('outages').select('failing_since').where('service', '=', 'card_gateway').executeTakeFirst()

test('staff announce a payment gateway outage on the portal, and remove the notice once the gateway is back', async () => {
  const customer = await makeSubscriber(world(), { card: true })
  const phone = await openPageAsCustomer(portal, 'phone', customer)
  await phone.goto('/')
  const notice = phone.getByRole('region', { name: 'Service notice' })
  expect(await notice.count()).toBe(0)

  await simulators.stopGateway()
  const bought = buyAddOn(world(), customer.visitor, customer.service, { product: 'extra-500mb', saved: true })
  const asked = await bought
  expect(asked.status).toBe(202)
  await pollUntil(async () => (await outage())?.failing_since)

  const hine = await sitAt(portal, diary, /Hine Walker/)
  const { page } = hine
  await reads(page, /^No answer from the card gateway since/)
  await inspectDesk(hine)
  await hine.press(page.getByRole('link', { name: 'Publish a notice' }))
  const drawer = page.getByRole('dialog', { name: 'Publish a notice' })
  await drawer.getByText(noticeTexts.payments.text).waitFor()
  await inspectDesk(hine)
  await hine.enter(drawer.getByRole('button', { name: 'Publish a notice' }))
  await reads(page, 'Notice published. Every page of the portal shows it within 15 seconds.')
  hine.tell('gateway down, said on the portal')
  await hine.aside(async () => {
    await expect
      .poll(async () => (await phone.reload(), await notice.count()), { timeout: 30_000, interval: 1_000 })
      .toBe(1)
    expect(await notice.innerText()).toContain(noticeTexts.payments.title)
    await simulators.startGateway()
    const end = await endOf(customer.visitor, bought)
    expect(end.status).toBe(200)
    await pollUntil(async () => (await outage())?.failing_since === null)
  })

  await hine.key('g')
  await hine.key('t')
  // The Today page refreshes itself every 30 seconds.
  await hine.aside(() => reads(page, /^The card gateway is answering again\./))
  await inspectDesk(hine)
  await hine.press(page.getByRole('link', { name: 'End the notice' }))
  await hine.press(page.getByRole('button', { name: `End now: ${noticeTexts.payments.title}` }))
  await reads(page, 'Notice ended. It disappears from the portal within 15 seconds.')
  hine.tell('gateway down for ten minutes')
  await expect
    .poll(async () => (await phone.reload(), await notice.count()), { timeout: 30_000, interval: 1_000 })
    .toBe(0)
  await hine.key('g')
  await hine.key('t')
  await page.getByRole('heading', { name: 'Service status' }).waitFor()
  await expect.poll(() => page.getByText(/card gateway is answering again/).count()).toBe(0)

  const { order_code: code } = asked.body
  await pollUntil(async () =>
    (await readProviderRecords(world(), code)).gateway.some(({ captured }) => captured === 400),
  )
  expect((await readProviderRecords(world(), code)).gateway).toMatchObject([
    { authorised: 400, captured: 400, cancelled: 0 },
  ])
  const said = await world()
    .db.selectFrom('audit_events')
    .select(['event', 'actor'])
    .where('event', 'in', ['notice_said', 'notice_ended'])
    .orderBy('id')
    .execute()
  expect(said.map(({ event, actor }) => `${event} ${actor}`)).toEqual([
    'notice_said staff:Hine Walker',
    'notice_ended staff:Hine Walker',
  ])
}, 180_000)
