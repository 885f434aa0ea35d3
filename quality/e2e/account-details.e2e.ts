import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail } from '#quality/support/world.ts'
import {
  waitForPath,
  getButton,
  expectDashboard,
  enter,
  getField,
  getLink,
  logIn,
  waitForMailedLink,
  openPageAsCustomer,
  reads,
} from './account.ts'
import { usePortal } from './use-portal.ts'
import { expectHeading, wizard } from './wizard.ts'

const portal = usePortal()
const world = () => portal.world()

const step = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 2, name, exact: true }).waitFor()

test(
  'a customer changes their name, and confirms a new contact phone number through an emailed link',
  { tags: ['journey'] },
  async () => {
    const customer = await makeCustomer(world(), { services: 2 })
    const [first = '', second = ''] = customer.services.map(({ msisdn }) => formatNational(msisdn))
    const page = await openPageAsCustomer(portal, 'phone', customer)
    await page.goto('/account/contact-details/')
    await enter(page, 'First name', '')
    await reads(page, 'This field is required.')
    await getField(page, 'First name').fill('Mere')
    await getField(page, 'Last name').fill('Te Awa')
    await getButton(page, 'SAVE').click()
    await reads(page, 'Thank you, we’ve updated your details.')
    await page.reload()
    expect(await getField(page, 'First name').inputValue()).toBe('Mere')
    expect(await getField(page, 'Last name').inputValue()).toBe('Te Awa')
    const phone = page.getByRole('combobox', { name: 'Phone' })
    const chosen = () => phone.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label)
    expect(await chosen()).toBe(first)

    await phone.selectOption({ label: second })
    await getButton(page, 'SAVE').click()
    await expectHeading(page, 'Confirm Your Phone Number')
    await reads(page, second)
    const before = await waitForMailedLink(world(), customer.email, '/phone-success/')
    await getButton(page, 'RESEND').click()
    await reads(page, 'Email resent. Please check your inbox.')

    await page.goto(await waitForMailedLink(world(), customer.email, '/phone-success/', [before]))
    await expectHeading(page, 'Your Phone Number')
    await reads(page, 'Thank you, your contact phone number is confirmed.')
    await reads(page, `Your contact phone number is ${second}.`)
    await waitForPath(page, '/account/contact-details/phone-success/')
    await getLink(page, 'Back to Contact Details').click()
    await expectHeading(page, 'Contact Details')
    expect(await chosen()).toBe(second)
    await page.goto(before)
    await reads(page, 'This link is no longer valid. It may have been used already, or have expired.')
  },
)

const pinOf = (messages: () => Promise<{ text: string }[]>, sent: number): Promise<string> =>
  pollUntil(async () => {
    const pins = (await messages()).flatMap(({ text }) => / PIN(?: is|:) (\d{6})/.exec(text)?.[1] ?? [])
    return pins.length === sent && pins[0]
  })

const otherThan = (pin: string): string => (pin === '111111' ? '222222' : '111111')

async function enterPin(page: Page, pin: string): Promise<void> {
  await getField(page, 'One-Time PIN').fill(pin)
  await getButton(page, 'CONTINUE').click()
}

async function askFor(page: Page, email: string): Promise<void> {
  await step(page, 'Your new email address')
  await getField(page, 'New email address').fill(email)
  await getButton(page, 'CONTINUE').click()
}

test('a customer changes their email address with a PIN sent to their phone', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const msisdn = customer.services[0]?.msisdn ?? ''
  const pin = (sent: number) => pinOf(() => world().smsTo(msisdn), sent)
  const wanted = newEmail()
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  await page.goto('/account/contact-details/')
  await getLink(page, 'Change email').click()
  await expectHeading(page, 'Change Email')
  await enter(page, 'New email address', 'mere@')
  await reads(page, 'Please enter a valid email address.')
  await askFor(page, customer.email)
  await reads(page, 'This is already your email address.')
  await askFor(page, wanted)

  await step(page, 'Enter your One-Time PIN')
  await reads(page, `your number ending ${msisdn.slice(-3)}`)
  await enter(page, 'One-Time PIN', '123')
  await reads(page, 'Please enter your One-Time PIN.')
  await enterPin(page, otherThan(await pin(1)))
  await reads(page, 'That One-Time PIN isn’t right. Please check it and try again.')
  await getButton(page, 'BACK').click()
  await step(page, 'Your new email address')
  expect(await getField(page, 'New email address').inputValue()).toBe(wanted)
  await getButton(page, 'CONTINUE').click()
  await step(page, 'Enter your One-Time PIN')
  const second = await pin(2)
  await getButton(page, 'RESEND PIN').click()
  await reads(page, 'We’ve sent you a new One-Time PIN.')
  const third = await pin(3)
  if (second !== third) {
    await enterPin(page, second)
    await reads(page, 'That One-Time PIN isn’t right. Please check it and try again.')
  }
  await world().advance('PT11M')
  await enterPin(page, third)
  await reads(page, 'Your One-Time PIN has expired')
  await getButton(page, 'RESEND PIN').click()
  await page.getByText('Your One-Time PIN has expired').waitFor({ state: 'hidden' })
  await enterPin(page, await pin(4))

  await step(page, 'Check your inbox')
  const before = await waitForMailedLink(world(), wanted, '/change-email/')
  await getButton(page, 'RESEND').click()
  await reads(page, 'Email resent. Please check your inbox.')
  await page.goto(await waitForMailedLink(world(), wanted, '/change-email/', [before]))
  await step(page, 'Your email address has changed')
  await reads(page, wanted)
  await waitForPath(page, '/account/contact-details/change-email/')
  await getLink(page, 'Back to Contact Details').click()
  await expectHeading(page, 'Contact Details')
  expect(await getField(page, 'Email').inputValue()).toBe(wanted)
  await pollUntil(async () =>
    (await world().mailTo(customer.email)).some(({ subject }) => subject === 'Your email address has changed'),
  )

  const other = await portal.open('phone')
  await other.goto('/login/')
  await logIn(other, customer)
  await reads(other, 'Please enter a correct email address and password.')
  await logIn(other, { ...customer, email: wanted })
  await expectDashboard(other)
})

test('a customer without a service changes a mistyped email address with a PIN sent by email', async () => {
  const customer = await makeCustomer(world(), { verified: false })
  const wanted = newEmail()
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/')
  await getLink(page, 'Change my email address').click()
  await expectHeading(page, 'Change Email')
  await askFor(page, wanted)
  await reads(page, 'a•••@example.nz')
  await enterPin(page, await pinOf(() => world().mailTo(customer.email), 1))
  await step(page, 'Check your inbox')
  await page.goto(await waitForMailedLink(world(), wanted, '/change-email/'))
  await step(page, 'Your email address has changed')
  await getLink(page, 'Back to Contact Details').click()
  await expectHeading(page, 'Contact Details')
  expect(await getField(page, 'Email').inputValue()).toBe(wanted)
})

test('five wrong PINs cancel a change of email address', async () => {
  const customer = await makeCustomer(world())
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/account/contact-details/change-email/')
  await askFor(page, newEmail())
  await step(page, 'Enter your One-Time PIN')
  const wrong = otherThan(await pinOf(() => world().mailTo(customer.email), 1))
  const isWrong = page.getByText('That One-Time PIN isn’t right. Please check it and try again.')
  for (let tries = 1; tries < 5; tries++) {
    await enterPin(page, wrong)
    await isWrong.waitFor()
    await getField(page, 'One-Time PIN').fill('')
    await isWrong.waitFor({ state: 'detached' })
  }
  await enterPin(page, wrong)
  await step(page, 'This email change has been stopped')
  await reads(page, 'Five wrong One-Time PINs were entered in a day')
  await reads(page, 'You can start again from')
  expect(await getButton(page, 'START AGAIN').count()).toBe(0)
  await page.goto('/account/contact-details/')
  expect(await getField(page, 'Email').inputValue()).toBe(customer.email)
})

async function authorisationsOf(userId: string): Promise<{ authorised: number; captured: number }[][]> {
  const updates = await world()
    .db.selectFrom('card_updates')
    .select('reference')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const { gateway } = await world().ledgers()
  return updates.map(({ reference }) =>
    gateway
      .filter((line) => line.reference === reference)
      .map(({ authorised, captured }) => ({ authorised, captured })),
  )
}

const saveCard = (page: Page): Promise<void> => getButton(page, 'SAVE CARD').click()
const stored = "Thank you, we've updated your payment details."

test('a customer saves a card and then replaces it, and no card number leaves the browser', async () => {
  const customer = await makeCustomer(world())
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  const bodies: string[] = []
  page.on('request', (request) => bodies.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto('/account/payment-method/')
  await reads(page, "We'll use the payment details below for your next Prepay Plan renewal or Add-On purchase.")
  await step(page, 'You have no saved card')
  await getButton(page, 'ADD CREDIT CARD').click()
  await wizard.card(page, 'DECLINED')
  await saveCard(page)
  await reads(page, 'Your bank declined this card. Nothing was charged. Try another card or call your bank.')
  await wizard.card(page, 'Ana Rewi')
  await saveCard(page)
  await reads(page, stored)
  await reads(page, '**** **** **** 1111')
  await reads(page, 'Ana Rewi')

  await getButton(page, 'UPDATE CARD').click()
  await wizard.card(page, 'TIMEOUT')
  await saveCard(page)
  await reads(page, stored)
  await page.reload()
  await page.getByRole('definition').filter({ hasText: 'TIMEOUT' }).waitFor()

  const ofNothing = [{ authorised: 0, captured: 0 }]
  expect(await authorisationsOf(customer.id)).toEqual([ofNothing, ofNothing, ofNothing])
  expect(bodies.filter((body) => body.includes('adyen_encrypted')).length).toBeGreaterThanOrEqual(3)
  expect(bodies.filter((body) => body.replaceAll(/[\s-]/g, '').includes('4111111111111111'))).toEqual([])
})

test('a saved card that has expired is marked as expired', async () => {
  const customer = await makeCustomer(world())
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/account/payment-method/')
  await getButton(page, 'ADD CREDIT CARD').click()
  const { month, year } = world().deps.clock.now().toZonedDateTimeISO('Pacific/Auckland')
  const expiry = `${String(month).padStart(2, '0')} / ${year % 100}`
  await wizard.card(page)
  await getField(page, 'Expiry').fill(expiry)
  await saveCard(page)
  await reads(page, stored)
  expect(await page.getByText('Expired').count()).toBe(0)
  // Keep this step last, because it moves the shared clock forward by a month.
  await world().advance('P32D')
  await page.reload()
  await reads(page, 'Your saved card has expired')
  await page.getByRole('term').filter({ hasText: 'Expired' }).waitFor()
})
