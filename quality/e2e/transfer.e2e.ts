import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { readCustomerService } from '#quality/support/auto-renewal.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber, setPortState } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForPath, getButton, expectDashboard, enter, getField, getLink, openPageAsCustomer } from './account.ts'
import { getListEntries, openService, getServicePath, says, expectTextsAbsent, expectOnAllSizes } from './dashboard.ts'
import { getCountryInputs } from './country-inputs.ts'
import { useStandaloneSimulators } from './standalone-simulators.ts'
import { expectNoOverflow, sizes, usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'
import { resizePage } from './resize-page.ts'

// In these simulators, a transfer moves on only when the clock does, so its state cannot change while a test is checking it.
const portal = usePortal(useStandaloneSimulators())
const world = () => portal.world()

const processing = 'This normally takes about 4 hours in business hours, and we’ll email you when it’s done.'
const failure =
  'Sorry, your request to Transfer (Port) your Existing Phone Number to the provider has failed. ' +
  'Please try again or check the FAQ for instructions on what to do next.'
const settings = ['Phone Number Settings', 'Request Number Transfer']

/** Formats a number in the same way as the banner, which has its own formatter to keep the page small. */
const bannersOwn = (number: string): string =>
  number.replace(/^\+64(\d\d)(\d{3})(\d+)$/, '0$1 $2 $3').replace(/^\+61(\d{3})(\d{3})(\d+)$/, '0$1 $2 $3')

const arrivesAt = (customer: Customer, status: 1 | 2 | 3 | 4) =>
  pollUntil(async () => (await readCustomerService({ customer })).porting_request?.status === status)

async function askFor(page: Page, msisdn: string): Promise<void> {
  await getField(page, 'Phone Number you want to bring').fill(formatNational(msisdn))
  await getField(page, 'Current provider').selectOption(getCountryInputs(world()).provider)
  await page.getByRole('radio', { name: 'Prepay' }).check()
  await getField(page, 'Existing Prepay SIM Number').fill(getCountryInputs(world()).oldSim)
  await getButton(page, 'Port Number').click()
}

const isHandedIn = (customer: Customer) =>
  pollUntil(async () => {
    const ports = world().db.selectFrom('porting_requests').select('handed_in_at')
    return (await ports.where('service_id', '=', customer.services[0]?.id ?? '').executeTakeFirst())?.handed_in_at
  })

async function withFailedTransfer(): Promise<Customer> {
  const customer = await makeCustomer(world(), { services: 1 })
  await customer.visitor.post(
    `/api/services/port/${customer.services[0]?.id}/`,
    portForm(await newPortableNumber(world(), 'fails')),
  )
  // Wait until the network has received the request. If the clock moved first, the transfer would only start after that.
  await isHandedIn(customer)
  await world().advance('PT5H')
  await arrivesAt(customer, 4)
  return customer
}

test('a customer requests a number transfer, and the dashboard updates by itself once the number has moved', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const old = formatNational(customer.services[0]?.msisdn ?? '')
  const number = await newPortableNumber(world())
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  await page.clock.install()
  await openService(page, getServicePath(customer))
  await getLink(page, 'Request Number Transfer').click()
  await expectHeading(page, 'Request Number Transfer')
  await askFor(page, number)
  await expectHeading(page, 'Number Transfer Request Submitted')
  await waitForPath(page, `${getServicePath(customer)}port/success/`)
  await expectOnAllSizes(page, 'You will receive an email confirmation upon success of your Number Transfer Request.')

  await getLink(page, 'Back to Dashboard').click()
  await expectDashboard(page)
  const moving = `We’re moving ${bannersOwn(number)} to Fantail`
  await says(page, moving, processing)
  await getListEntries(page).first().getByRole('link').click()
  await arrivesAt(customer, 1)
  await expectOnAllSizes(page, moving, processing, old)
  await expectTextsAbsent(page, ...settings)
  await world().advance('PT30M')
  await arrivesAt(customer, 2)
  await page.reload()
  await says(page, moving, processing, getCountryInputs(world()).asks.request)
  await expectTextsAbsent(page, ...settings)

  await world().advance('PT4H')
  await arrivesAt(customer, 3)
  // After ten seconds, the page requests the transfer's state again.
  await page.clock.fastForward(10_000)
  await says(page, formatNational(number))
  await expectTextsAbsent(page, old, 'moving', ...settings)
  await says(getListEntries(page).first(), formatNational(number))
  await page.goto(`${getServicePath(customer)}port/`)
  await says(page, 'This service already has a transferred Phone Number.')
  expect((await readCustomerService({ customer })).msisdn).toBe(number)
})

test('the number transfer form says what is missing and where to find it', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  const path = `${getServicePath(customer)}port/`
  await page.goto(path)
  await expectOnAllSizes(page, 'Request Number Transfer', 'Phone Number you want to bring', 'How the transfer works')
  await getButton(page, 'Port Number').click()
  await expectOnAllSizes(
    page,
    'This field is required.',
    'You must provide an Existing Prepay SIM Number or an Existing Account Number to Transfer (Port) the Phone Number you want to bring.',
  )
  const simHelp = page.getByText(
    `It’s printed on your old SIM. It has 16 to 20 digits and starts with ${getCountryInputs(world()).begins}.`,
  )
  expect(await simHelp.isVisible()).toBe(false)
  await page.getByRole('radio', { name: 'Prepay' }).check()
  await simHelp.waitFor()
  await enter(page, 'Existing Prepay SIM Number', '')
  await says(page, 'Please provide an Existing Prepay SIM Number to Transfer (Port) the Number you want to bring.')
  await enter(page, 'Existing Prepay SIM Number', '123456')
  await says(page, 'Please enter a valid Prepay SIM Number between 16 and 20 digits.')
  await page.getByRole('radio', { name: 'Account' }).check()
  await simHelp.waitFor({ state: 'hidden' })
  await enter(page, 'Existing Account Number', '')
  await says(page, 'Please provide an Existing Account Number to Transfer (Port) the Phone Number you want to bring.')

  await askFor(page, customer.services[0]?.msisdn ?? '')
  await says(
    page,
    'This is the Phone Number on the SIM pack. Please enter the Existing Phone Number you want to bring.',
  )
  await getLink(page, 'Cancel').click()
  await waitForPath(page, getServicePath(customer))

  await resizePage(page, sizes.phone)
  await page.goto(path)
  await page.getByRole('radio', { name: 'Prepay' }).check()
  await getField(page, 'Existing Prepay SIM Number').waitFor()
  expect(await simHelp.isVisible()).toBe(false)
  await page.getByText('Find your SIM Number').click()
  await simHelp.waitFor()
  await expectNoOverflow(page)
})

test('the error from a failed number transfer stays until the customer closes the message', async () => {
  const customer = await withFailedTransfer()
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await openService(page, getServicePath(customer))
  await expectOnAllSizes(page, failure, 'Try Again', ...settings)
  await getButton(page, 'Close').click()
  await page.getByText(failure).waitFor({ state: 'detached' })
  await page.reload()
  await says(page, 'Updated', ...settings)
  await expectTextsAbsent(page, failure, 'Try Again')
  expect((await readCustomerService({ customer })).porting_request).toMatchObject({
    status: 4,
    failure_acknowledged_at: expect.any(String),
  })
})

test('a customer retries a failed number transfer, which then completes', async () => {
  const customer = await withFailedTransfer()
  const number = await newPortableNumber(world())
  const page = await openPageAsCustomer(portal, 'tablet', customer)
  await page.goto('/')
  await says(page, failure)
  await getLink(page, 'Try Again').click()
  await waitForPath(page, `${getServicePath(customer)}port/`)
  const { donor, oldSim } = getCountryInputs(world())
  await says(
    page,
    'didn’t move',
    `${donor} has a different SIM number for this number.`,
    `This doesn’t match the records at ${donor}.`,
  )
  await says(page, 'Correct this field')
  expect(await getField(page, 'Existing Prepay SIM Number').inputValue()).toBe(oldSim)
  await getButton(page, 'Edit').first().click()
  await askFor(page, number)
  await expectHeading(page, 'Number Transfer Request Submitted')
  await getLink(page, 'Back to Dashboard').click()
  await says(page, processing)
  await expectTextsAbsent(page, failure, ...settings)
  await world().advance('PT5H')
  await arrivesAt(customer, 3)
  await page.reload()
  await says(page, formatNational(number))
  await expectTextsAbsent(page, processing, failure, ...settings)
  expect((await readCustomerService({ customer })).msisdn).toBe(number)
})

test('a number transfer’s page shows its steps and how long is left to reply, and lets the customer cancel', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world(), 'played')
  const path = `${getServicePath(customer)}port/`
  await customer.visitor.post(`/api/services/port/${customer.services[0]?.id}/`, portForm(number))
  await isHandedIn(customer)
  const step = () => page.locator('[aria-current="step"]')
  const play = async (state: string, title: string) => {
    await setPortState(world(), { msisdn: number, state })
    await step().getByRole('heading', { name: title }).waitFor()
  }
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto(path)
  await expectHeading(page, `Bringing ${formatNational(number)} to Fantail`)
  const { donor, asks } = getCountryInputs(world())
  await says(step(), `${donor} is checking your number`)

  await play('informationRequired', `${donor} needs more details`)
  await getButton(page, 'Correct my details').waitFor()
  await play('awaitingCustomerReply', asks.step)
  await page.getByRole('heading', { name: asks.title }).waitFor()
  expect(await page.getByRole('timer').textContent()).toMatch(/^1(20|1\d) min left$/)
  await page.getByText('I didn’t get a text').click()
  await says(page, 'Is your old', 'the right number?', 'Need a person?')
  await expectNoOverflow(page)

  await getButton(page, 'Cancel the transfer').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the transfer' }).click()
  await says(page, `${formatNational(number)} didn’t move`)
  await expectHeading(page, 'Request Number Transfer')
  expect(await getField(page, 'Phone Number you want to bring').inputValue()).toBe(formatNational(number))
  await getButton(page, 'Port Number').click()
  await expectHeading(page, 'Number Transfer Request Submitted')
})
