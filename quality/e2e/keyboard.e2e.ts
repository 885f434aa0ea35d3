import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newEmail } from '#quality/support/world.ts'
import { openPageAsCustomer, waitForScript } from './account.ts'
import { openService } from './dashboard.ts'
import { expectFocus, type KeyboardDriver, createKeyboardDriver } from './keyboard.ts'
import { type Size, usePortal } from './use-portal.ts'
import { type Sim, walkToCheckout } from './wizard.ts'

const portal = usePortal()
const world = () => portal.world()

async function write(keys: KeyboardDriver, field: string, text: string): Promise<void> {
  await keys.to('textbox', field)
  await keys.type(text)
}

async function choose(keys: KeyboardDriver, first: string, down = 0): Promise<void> {
  await keys.to('radio', first)
  await keys.press('Space')
  for (let step = 0; step < down; step++) await keys.move('ArrowDown')
}

async function submit(keys: KeyboardDriver, button: string | RegExp): Promise<void> {
  await keys.to('button', button)
  await keys.press('Enter')
}

async function card(keys: KeyboardDriver): Promise<void> {
  await write(keys, 'Name on card', 'Ana Rewi')
  await write(keys, 'Expiry', '0330')
  await write(keys, 'Security code', '737')
}

test.each<Size>(['phone', 'desktop'])(
  'after a wrong password, a customer logs in by keyboard on a %s',
  async (size) => {
    const customer = await makeSubscriber(world())
    const page = await portal.open(size)
    const keys = createKeyboardDriver(page)
    await page.goto('/login/')
    await waitForScript(page)
    await write(keys, 'Email', customer.email)
    await write(keys, 'Password', 'not this one')
    await keys.move('Tab')
    await expectFocus(keys, 'button', 'Show password')
    await keys.press('Space')
    await expectFocus(keys, 'button', 'Hide password')
    await submit(keys, 'LOG IN')
    await expectFocus(keys, 'alert')
    await write(keys, 'Password', customer.password)
    await keys.press('Enter')
    await expectFocus(keys, 'heading', 'Welcome, Ana')
  },
)

async function answerSimPack(
  page: Page,
  keys: KeyboardDriver,
  sim: Sim,
  { porting }: { porting: boolean },
): Promise<void> {
  await page.goto('/activate/')
  await waitForScript(page)
  await write(keys, 'Phone Number on the SIM pack', formatNational(sim.msisdn))
  await write(keys, 'Last 4 digits of the SIM Number', sim.sim_serial)
  await choose(keys, 'Yes, Transfer (Port) Existing Number', porting ? 0 : 1)
  await submit(keys, 'START')
}

async function answerPersonalDetails(keys: KeyboardDriver, email: string): Promise<void> {
  await expectFocus(keys, 'heading', 'Your Personal Details')
  await write(keys, 'Full name', 'Ana Rewi')
  await write(keys, 'Email', email)
  await write(keys, 'New password', 'korimako 1')
  await keys.to('checkbox', /^I agree/)
  await keys.press('Space')
  await submit(keys, 'CONTINUE')
}

async function buyPlan(keys: KeyboardDriver): Promise<void> {
  await expectFocus(keys, 'heading', 'Choose Your Prepay Plan')
  await choose(keys, 'Buy a Prepay Plan now')
  await submit(keys, 'CONTINUE')
}

test.each<Size>(['phone', 'desktop'])('a visitor completes an activation by keyboard on a %s', async (size) => {
  const page = await portal.open(size)
  const keys = createKeyboardDriver(page)
  const email = newEmail()
  await answerSimPack(page, keys, await world().newSim(), { porting: false })
  await answerPersonalDetails(keys, email)
  await buyPlan(keys)

  await page.waitForURL('**/activate/plans/')
  await expectFocus(keys, 'heading', 'Choose Your Prepay Plan')
  await keys.to('slider', 'Plan length')
  await keys.move('ArrowRight')
  const longer = await page.getByRole('slider').getAttribute('aria-valuetext')
  await keys.move('Home')
  const shortest = await page.getByRole('slider').getAttribute('aria-valuetext')
  await keys.move('ArrowRight')
  expect([longer === shortest, await page.getByRole('slider').getAttribute('aria-valuetext')]).toEqual([
    false,
    '30 days',
  ])
  await choose(keys, '1.5 GB $16.00', 1)
  expect(await page.getByRole('radio', { checked: true }).getAttribute('value')).toBe('plan-30-5gb')
  await submit(keys, 'CONTINUE')

  await expectFocus(keys, 'heading', 'Payment')
  await write(keys, 'Card number', '4111111111111111')
  await write(keys, 'Name on card', 'Ana Rewi')
  await write(keys, 'Expiry', '0330')
  await write(keys, 'Security code', '73')
  // The error appears once the focus moves on to the checkbox for saving the card, so move back to the field.
  await keys.move('Tab')
  await expectFocus(keys, 'checkbox')
  await keys.move('Shift+Tab')
  await expectFocus(keys, 'textbox', 'Security code')
  expect(await page.locator(':focus').getAttribute('aria-invalid')).toBe('true')
  await keys.press('End')
  await keys.type('7')
  await submit(keys, /^ACTIVATE/)
  await expectFocus(keys, 'heading', 'Activation Complete')
  expect(await world().db.selectFrom('orders').select('state').where('email', '=', email).execute()).toHaveLength(1)
})

test('a visitor can enter the details of a number transfer by keyboard', async () => {
  const page = await portal.open('desktop')
  const keys = createKeyboardDriver(page)
  await answerSimPack(page, keys, await world().newSim(), { porting: true })
  await expectFocus(keys, 'heading', 'Number Transfer Details')
  await write(keys, 'Phone Number you want to bring', '027 555 0113')
  await keys.to('combobox', 'Current provider')
  await keys.type('Skinny')
  await choose(keys, 'Prepay', 1)
  await write(keys, 'Existing Account Number', 'A1')
  await submit(keys, 'CONTINUE')
  await answerPersonalDetails(keys, newEmail())
  await buyPlan(keys)
  await page.waitForURL('**/activate/plans/')
})

test('submitting an incomplete form by keyboard moves the focus to the empty field, which has an error message', async () => {
  const page = await portal.open('phone')
  const keys = createKeyboardDriver(page)
  await page.goto('/login/')
  await waitForScript(page)
  await write(keys, 'Email', newEmail())
  await keys.press('Enter')
  await expectFocus(keys, 'textbox', 'Password')
  const field = page.locator(':focus')
  expect([await field.getAttribute('aria-invalid'), await field.getAttribute('aria-required')]).toEqual([
    'true',
    'true',
  ])
  expect(await page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).textContent()).toBe(
    'This field is required.',
  )
})

test.each<[Size, 'another' | 'the saved']>([
  ['phone', 'another'],
  ['desktop', 'the saved'],
])('a customer renews from the dashboard by keyboard on a %s, with %s card', async (size, which) => {
  const customer = await makeSubscriber(world(), { card: true })
  const page = await openPageAsCustomer(portal, size, customer)
  const keys = createKeyboardDriver(page)
  await openService(page, `/services/${customer.service.id}/`)
  await keys.to('link', 'RENEW OR BUY PREPAY PLAN')
  await keys.press('Enter')
  await expectFocus(keys, 'heading', 'Renew Prepay Plan')
  await keys.to('radio', /^Renew the same plan/)
  await keys.move('ArrowDown')
  await expectFocus(keys, 'radio', 'Choose another plan')
  await page.getByRole('slider', { name: 'Plan length' }).waitFor()
  await keys.to('slider', 'Plan length')
  await keys.move('ArrowRight')
  const first = page.getByRole('radiogroup', { name: 'Prepay Plan' }).getByRole('radio').first()
  await keys.to('radio', /GB/)
  await keys.move('ArrowDown')
  expect(await first.isChecked()).toBe(false)
  await keys.to('radio', /when this plan ends$/)
  await keys.move('ArrowDown')
  await expectFocus(keys, 'radio', 'Now')
  if (which === 'another') {
    await submit(keys, 'USE ANOTHER CARD')
    await expectFocus(keys, 'textbox', 'Card number')
    await keys.type('4111111111111111')
    await card(keys)
    await submit(keys, 'RENEW')
  } else {
    await submit(keys, 'RENEW WITH VISA **** 1111')
  }
  await expectFocus(keys, 'heading', 'Renewal Successful!')
  await keys.to('link', /^Back to/)
  await keys.press('Enter')
  await page.waitForURL((url) => url.pathname === `/services/${customer.service.id}/`)
})

test('saving by keyboard leaves the focus on the button and announces the result', async () => {
  const page = await openPageAsCustomer(portal, 'desktop', await makeSubscriber(world()))
  const keys = createKeyboardDriver(page)
  await page.goto('/account/contact-details/')
  await waitForScript(page)
  await keys.to('textbox', 'First name')
  await keys.press('End')
  await keys.type('bel')
  await submit(keys, 'SAVE')
  await page.getByRole('status').getByText('Thank you, we’ve updated your details.').waitFor()
  await expectFocus(keys, 'button', 'SAVE')
})

test('the first Tab stop on a page is a link that skips to the content', async () => {
  const page = await portal.open('desktop')
  const keys = createKeyboardDriver(page)
  await page.goto('/login/')
  await waitForScript(page)
  await keys.move('Tab')
  await expectFocus(keys, 'link', 'Skip to the content')
  await keys.press('Enter')
  await expectFocus(keys, 'main')
  await keys.move('Tab')
  await expectFocus(keys, 'textbox', 'Email')
})

test('on a phone, the menu can be opened, used and closed by keyboard, and closes when the focus leaves it', async () => {
  const page = await openPageAsCustomer(portal, 'phone', await makeSubscriber(world()))
  const keys = createKeyboardDriver(page)
  const menu = page.getByRole('navigation', { name: 'Site' })
  await page.goto('/account/change-password/')
  await waitForScript(page)
  await keys.to('button', 'Menu')
  await keys.press('Enter')
  await menu.waitFor()
  await keys.to('link', 'Plans')
  await keys.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  await expectFocus(keys, 'button', 'Menu')

  // The open menu closes when the focus moves past it, so that it does not hide the control that has the focus.
  await keys.press('Enter')
  await keys.to('button', 'Logout')
  await keys.move('Tab')
  await menu.waitFor({ state: 'hidden' })

  await keys.back('button', 'Menu')
  await keys.press('Enter')
  await toAccountSettings(page, keys)
  await keys.press('Enter')
  await keys.to('link', 'Payment Method')
  await keys.press('Enter')
  await expectFocus(keys, 'heading', 'Payment Method')
  await menu.waitFor({ state: 'hidden' })
})

test('on a desktop, the account menu can be opened, used and closed by keyboard, and closes when the focus leaves it', async () => {
  const page = await openPageAsCustomer(portal, 'desktop', await makeSubscriber(world()))
  const keys = createKeyboardDriver(page)
  const entry = page.getByRole('banner').getByRole('link', { name: 'Change Password' })
  await page.goto('/account/contact-details/')
  await waitForScript(page)
  await toAccountSettings(page, keys)
  await keys.press('Enter')
  await keys.to('link', 'Payment Method')
  await keys.press('Escape')
  await entry.waitFor({ state: 'hidden' })
  expect(await page.locator('summary:focus').count()).toBe(1)

  await keys.press('Space')
  await keys.to('link', 'Privacy')
  await keys.move('Tab')
  await expectFocus(keys, 'button', 'Logout')
  await entry.waitFor({ state: 'hidden' })

  await keys.move('Shift+Tab')
  await keys.press('Enter')
  await keys.to('link', 'Change Password')
  await keys.press('Enter')
  await expectFocus(keys, 'heading', 'Change Password')
})

/** Moves the focus to the account menu, which is a `summary` element. The other helpers look for a role, and a `summary` has none. */
async function toAccountSettings(page: Page, keys: KeyboardDriver): Promise<void> {
  const summary = page.locator('summary:focus', { hasText: 'Account Settings' })
  for (let press = 0; (await summary.count()) === 0; press++) {
    if (press > 12) throw new Error('Tab does not lead to the account menu')
    await keys.move('Tab')
  }
}

test('a dialog keeps the keyboard focus until it is closed, and then returns the focus to where it was', async () => {
  const page = await portal.open('phone')
  const keys = createKeyboardDriver(page)
  await walkToCheckout(page, await world().newSim(), newEmail())
  const dialog = page.getByRole('dialog', { name: 'Summary' })
  await page.getByRole('heading', { name: 'Payment' }).first().waitFor()
  await keys.to('button', 'SEE SUMMARY')
  await keys.press('Enter')
  await dialog.waitFor()
  await expectFocus(keys, 'button', 'Close')
  for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await keys.press(key)
    expect(
      await page.evaluate(
        () =>
          document.activeElement === document.body ||
          document.querySelector('dialog[open]')?.contains(document.activeElement),
      ),
    ).toBe(true)
  }
  await keys.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expectFocus(keys, 'button', 'SEE SUMMARY')
  await keys.press('Space')
  await expectFocus(keys, 'button', 'Close')
  await keys.press('Enter')
  await expectFocus(keys, 'button', 'SEE SUMMARY')
})

test('the list of all plans can be operated by keyboard, both as a panel on a desktop and as a dialog on a phone', async () => {
  const { visitor } = await advanceWizardTo(world(), 'METHOD_ENTERED')
  for (const size of ['desktop', 'phone'] as const) {
    const page = await openPageAsCustomer(portal, size, { visitor })
    const keys = createKeyboardDriver(page)
    await page.goto('/activate/plans/')
    await waitForScript(page)
    await keys.to('button', 'Show all plans')
    await keys.press('Enter')
    await expectFocus(keys, 'button', 'Close')
    await page.getByRole('table').first().waitFor()
    await keys.to('button', '25 GB, 90 days 75 GB in all')
    await keys.press('Enter')
    if (size === 'desktop') {
      await keys.press('Escape')
      await expectFocus(keys, 'button', 'Show all plans')
    } else {
      await expectFocus(keys, 'radio', /^25 GB/)
    }
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toBe('90 days')
  }
})

test('on the usage page, the arrow keys and End move between tabs, and Tab moves into the panel', async () => {
  const customer = await makeSubscriber(world())
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  const keys = createKeyboardDriver(page)
  await page.goto(`/services/${customer.service.id}/detail/`)
  await page.getByText(/^Updated \d/).waitFor()
  await keys.to('tab', 'Data')
  await keys.move('ArrowRight')
  await expectFocus(keys, 'tab', 'Calls')
  await keys.move('End')
  await expectFocus(keys, 'tab', 'SMS')
  expect(await page.getByRole('tabpanel', { name: 'SMS' }).isVisible()).toBe(true)
  await keys.move('Tab')
  await expectFocus(keys, 'tabpanel', 'SMS')
})
