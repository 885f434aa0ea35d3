import { expect, test } from 'vitest'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { waitForCallerPin } from '#quality/support/caller-verification.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { buyAddOn, endOf } from '#quality/support/purchases.ts'
import {
  clearFailures,
  failGateway,
  failNetwork,
  readProviderRecords,
  readNetworkActions,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { expectDashboard, logIn, reads } from './account.ts'
import { find, inspectDesk, collectCaseTimes, openCustomerFromTask, sitAt } from './desk-helpers.ts'
import { resizePage } from './resize-page.ts'
import { usePortal } from './use-portal.ts'

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
const world = portal.world
const diary = collectCaseTimes()
const hineSits = () => sitAt(portal, diary, /Hine Walker/)

async function moneyAtGateway(code: string) {
  const { gateway } = await readProviderRecords(world(), code)
  const sum = (field: 'authorised' | 'captured' | 'cancelled' | 'refunded') =>
    gateway.reduce((total, line) => total + line[field], 0)
  return { taken: sum('captured'), back: sum('refunded'), open: sum('authorised') - sum('captured') - sum('cancelled') }
}

const actsOn = (userId: string, event: string) =>
  world()
    .db.selectFrom('audit_events')
    .select(['actor', 'reason'])
    .where('user_id', '=', userId)
    .where('event', '=', event as 'order_retried')
    .where('staff_id', 'is not', null)
    .execute()

/** A card number used only by the customers in this file, so that searching for its last digits finds nobody else. */
const theirCard = '4988 4388 4388 4305'

test('staff refund the second of two payments to a customer who was charged twice', async () => {
  const customer = await makeSubscriber(world(), { last_name: 'Parata' })
  const buy = (paying: object) =>
    endOf(
      customer.visitor,
      buyAddOn(world(), customer.visitor, customer.service, { product: 'extra-500mb', ...paying }),
    )
  const first = (await buy({ card: world().card('Ana Parata', theirCard), save: true })).body.order_code
  const second = (await buy({ saved: true })).body.order_code
  for (const code of [first, second]) await pollUntil(async () => (await moneyAtGateway(code)).taken === 400)

  const hine = await hineSits()
  const { page } = hine
  await find(hine, '4305')
  await openCustomerFromTask(hine, 'A call', 'Ana Parata')
  await inspectDesk(hine)
  await hine.press(page.getByRole('link', { name: second }).first())
  await page.getByRole('heading', { level: 1, name: second }).waitFor()
  await reads(page, 'Everything matches')
  const books = page.getByRole('table', { name: /compared with the order and its documents/ })
  await expect.poll(() => books.getByRole('row', { name: /^Taken/ }).innerText()).toMatch(/\$4\.00\s+\$4\.00/)
  await inspectDesk(hine)
  await hine.aside(async () => {
    const usual = page.viewportSize()
    await resizePage(page, { width: 360, height: 740 })
    const countLines = (cell: Element) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return range.getClientRects().length
    }
    expect(await books.getByRole('rowheader', { name: 'Authorised' }).evaluate(countLines)).toBe(1)
    if (usual) await resizePage(page, usual)
  })

  await hine.key('r')
  const drawer = page.getByRole('dialog', { name: 'Refund' })
  await hine.choose(drawer.getByLabel('Reason'), 'Bought twice')
  await hine.aside(() => reads(page, '$4.00 to Visa ending 4305, in 3 to 5 days'))
  await inspectDesk(hine)
  await hine.enter(drawer.getByRole('button', { name: 'Refund $4.00' }))
  await reads(page, /The refund is on its way, with credit note/)
  hine.tell('charged twice, and it was')

  await pollUntil(async () => (await moneyAtGateway(second)).back === 400)
  expect(await moneyAtGateway(first)).toEqual({ taken: 400, back: 0, open: 0 })
  await pollUntil(async () =>
    (await world().mailTo(customer.email)).some(({ subject }) => subject === 'Your refund of $4.00 NZD'),
  )
  expect(await actsOn(customer.id, 'refund_requested')).toEqual([
    { actor: 'staff:Hine Walker', reason: 'bought-twice' },
  ])
})

test('staff find that an apparent double charge was captured only once, and add a note', async () => {
  const customer = await makeSubscriber(world(), { card: true, last_name: 'Tuhoe' })
  await failGateway(world(), { operation: 'authorise', kind: 'lost_answer' })
  const bought = await endOf(
    customer.visitor,
    buyAddOn(world(), customer.visitor, customer.service, { product: 'extra-500mb', saved: true }),
  )
  const code = bought.body.order_code
  await pollUntil(async () => (await moneyAtGateway(code)).taken === 400)

  const hine = await hineSits()
  const { page } = hine
  await find(hine, code)
  await page.getByRole('heading', { level: 1, name: code }).waitFor()
  await reads(page, 'Everything matches')
  const asked = page.getByRole('table', { name: 'Requests to the card gateway' })
  expect(await asked.innerText()).toContain('No answer')
  const books = page.getByRole('table', { name: /compared with the order and its documents/ })
  for (const row of [/^Authorised/, /^Taken/])
    expect(await books.getByRole('row', { name: row }).innerText()).toMatch(/\$4\.00\s+\$4\.00/)
  await inspectDesk(hine)
  await hine.press(page.getByRole('link', { name: /Ana Tu/ }))
  await openCustomerFromTask(hine, 'A call', 'Ana Tuhoe')
  await hine.key('n')
  await page.getByRole('textbox', { name: /note/i }).waitFor()
  await hine.type(`${code} was taken once`)
  await hine.enter(page.getByRole('button', { name: /^(Keep|Save|Add|Write)/ }))
  await reads(page, `${code} was taken once`)
  hine.tell('charged twice, and it was not')
  expect(await moneyAtGateway(code)).toEqual({ taken: 400, back: 0, open: 0 })
})

test('staff retry and then cancel an order whose SIM always fails, and none of the customer’s money is kept', async () => {
  // If the network permanently rejects an order, the order is reversed without staff having to do anything.
  const refused = await activate(world(), { behaviour: 'fails_always' })
  expect(refused.done.state).toBe('PERMANENTLY_FAILED')
  expect(await moneyAtGateway(refused.orderCode)).toEqual({ taken: 0, back: 0, open: 0 })

  await failNetwork(world(), { operation: 'activate', kind: 'fail_retryable', times: 3 })
  const customer = await activate(world(), { full_name: 'Wiremu Hape' })
  expect(customer.done.state).toBe('ERROR_CAN_RETRY')
  await customer.visitor.post('/api/activate/activate/')
  await customer.arriveAt('ERROR_CAN_RETRY')
  const { orderCode: code } = customer

  const hine = await hineSits()
  const { page } = hine
  const held = page.getByRole('heading', { level: 1, name: 'Orders' })
  await expect
    .poll(async () => (await held.count()) > 0 || (await hine.key('g'), await hine.key('o'), false))
    .toBe(true)
  await hine.press(page.getByText('Held', { exact: true }).first())
  await page.getByRole('link', { name: code }).waitFor()
  await inspectDesk(hine)
  const row = page.getByRole('link', { name: code })
  const isThere = () => row.evaluate((link) => link === document.activeElement)
  await expect.poll(async () => (await isThere()) || (await hine.key('j'), false)).toBe(true)
  await hine.key('Enter')
  await page.getByRole('heading', { level: 1, name: code }).waitFor()

  await hine.key('t')
  const retry = page.getByRole('dialog', { name: 'Try this order again' })
  await hine.choose(retry.getByLabel('Reason'), 'Not delivered')
  await hine.enter(retry.getByRole('button', { name: 'Try again' }))
  await reads(page, 'The order is being tried again.')
  await pollUntil(async () => (await readNetworkActions(world(), code)).length === 3)
  await clearFailures(world())
  await customer.arriveAt('ERROR_CAN_RETRY')
  await page.reload()
  await expect.poll(() => page.getByText('Held').count()).toBeGreaterThan(0)
  await inspectDesk(hine)

  const back = page.getByRole('dialog', { name: 'Cancel this order' })
  await expect.poll(async () => (await back.count()) > 0 || (await hine.key('x'), false)).toBe(true)
  await hine.choose(back.getByLabel('Reason'), 'Not delivered')
  await hine.aside(() => reads(page, /\$22\.00 NZD reserved on the card is released/))
  await inspectDesk(hine)
  await hine.enter(back.getByRole('button', { name: 'Cancel order' }))
  await reads(page, 'The order is being cancelled.')
  hine.tell('SIM that always fails')

  await pollUntil(async () => (await moneyAtGateway(code)).open === 0)
  expect(await moneyAtGateway(code)).toEqual({ taken: 0, back: 0, open: 0 })
  expect(await readNetworkActions(world(), code)).toEqual(['activate failed', 'activate failed', 'activate failed'])
  await pollUntil(async () =>
    (await world().mailTo(customer.email)).some(({ subject }) => subject.endsWith(`${code} is cancelled`)),
  )
  const pack = () =>
    world().db.selectFrom('sim_packs').select('order_id').where('iccid', '=', customer.sim.iccid).executeTakeFirst()
  await pollUntil(async () => (await pack())?.order_id === null)
})

test('a customer who is locked out reads a texted PIN to staff, who then unlock the login', async () => {
  const customer = await makeCustomer(world(), { services: 1, last_name: 'Moana' })
  const { msisdn } = customer.services[0]!
  const stranger = world().visitor()
  const guess = { username: customer.email, password: 'not it 1' }
  for (let times = 0; times < 10; times++) await stranger.post('/api/account/login/', guess)
  const phone = await portal.open('phone')
  await phone.goto('/login/')
  await logIn(phone, customer)
  await reads(phone, 'Too many requests. Please try again shortly.')

  const hine = await hineSits()
  const { page } = hine
  await find(hine, formatNational(msisdn))
  await openCustomerFromTask(hine, 'A call', 'Ana Moana')
  await inspectDesk(hine)
  await hine.key('u')
  const drawer = page.getByRole('dialog', { name: 'Unlock sign-in' })
  await hine.enter(drawer.getByRole('button', { name: 'Send PIN' }))
  await drawer.getByLabel('PIN read out by the caller').waitFor()
  await inspectDesk(hine)
  const pin = await waitForCallerPin(world(), { msisdn })
  await hine.reach(drawer.getByLabel('PIN read out by the caller'))
  await hine.type(pin)
  await hine.enter(drawer.getByRole('button', { name: 'Verify' }))
  await hine.choose(drawer.getByLabel('Reason'), 'Customer’s request')
  await inspectDesk(hine)
  await hine.enter(drawer.getByRole('button', { name: 'Unlock sign-in' }))
  await reads(page, 'Unlocked. The customer can try to sign in and enter PINs again.')
  hine.tell('locked out')

  await logIn(phone, customer)
  await expectDashboard(phone)
  expect(await actsOn(customer.id, 'customer_unlocked')).toEqual([
    { actor: 'staff:Hine Walker', reason: 'customers-wish' },
  ])
})
