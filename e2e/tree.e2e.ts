import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#testing/customer.ts'
import { travelTo, type Traveller } from '#testing/journey.ts'
import { useSim } from '#testing/simulators.ts'
import { signIn } from './account.ts'
import { sizes, usePortal } from './portal.ts'
import { expectGoodTree, treeFaults } from './tree.ts'

const portal = usePortal()

let customer: Subscriber
let chooser: Traveller
let payer: Traveller

beforeAll(async () => {
  const world = portal.world()
  ;[customer, chooser, payer] = await Promise.all([
    makeSubscriber(world, { card: true, plan: 'plan-90-25gb' }),
    travelTo(world, 'METHOD_ENTERED'),
    travelTo(world, 'PAYMENT'),
  ])
  await useSim(world, { iccid: customer.service.sim.iccid, type: 'data', amount: 6_600 })
})

type Place = { path: () => string; who?: () => Subscriber | Traveller; heading: string; ready?: RegExp; /** Where it says one is, among its own places or steps. */ here: string | null }

const service = () => `/services/${customer.service.id}/`
const own = { who: () => customer }

const login: Place = { path: () => '/login/', heading: 'Welcome Back', here: null }
const contactDetails: Place = { path: () => '/account/contact-details/', ...own, heading: 'Contact Details', here: 'Contact Details' }

const places: [string, Place][] = [
  ['the login', login],
  ['the SIM step', { path: () => '/activate/', heading: 'Activate your SIM', here: 'SIM Pack Details' }],
  ['the plans', { path: () => '/activate/plans/', who: () => chooser, heading: 'Choose Your Prepay Plan', here: 'Prepay Plan Details' }],
  ['the checkout', { path: () => '/activate/checkout/', who: () => payer, heading: 'Payment', here: 'Payment Details' }],
  ['the dashboard', { path: service, ...own, heading: '25 GB Prepay Plan', ready: /^Updated \d/, here: '25 GB Prepay Plan' }],
  ['the usage detail', { path: () => `${service()}detail/`, ...own, heading: 'Usage Detail', ready: /^Updated \d/, here: null }],
  ['the invoice', { path: () => `${service()}invoices/${customer.service.orderCode}/`, ...own, heading: 'Tax Invoice', here: null }],
  ['the renewal', { path: () => `/services/renew/${customer.service.shortId}/plan/`, ...own, heading: 'Renew Prepay Plan', here: 'Card payment' }],
  ['the contact details', contactDetails],
]

/** One of the pages, as it is once everything has come. */
async function open({ path, who, heading, ready }: Place): Promise<Page> {
  const page = await portal.reopen()
  await page.setViewportSize(sizes.desktop)
  if (who) await signIn(page.context(), who(), portal.world().url)
  await page.goto(path())
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  if (ready) await page.getByText(ready).first().waitFor()
  return page
}

test.each(places)('%s, on a desktop and on a phone', async (_, place) => {
  const page = await open(place)
  await expectGoodTree(page)
  const marked = await page.getByRole('main').locator('nav [aria-current]').allTextContents()
  expect(marked).toHaveLength(place.here === null ? 0 : 1)
  expect(marked.join()).toContain(place.here ?? '')
  await page.setViewportSize(sizes.phone)
  await expectGoodTree(page)
})

/** The menu of a phone, open, and what it says of where one is. */
async function openMenu(page: Page): Promise<string[]> {
  await page.setViewportSize(sizes.phone)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('navigation', { name: 'Site' }).waitFor()
  const account = page.getByText('Account Settings')
  if (await account.isVisible()) await account.click()
  return page.getByRole('banner').locator('[aria-current="page"]').allTextContents()
}

test('an open menu', async () => {
  const page = await open(login)
  expect(await openMenu(page)).toEqual(['Login'])
  await expectGoodTree(page)
})

test('an open menu of somebody who is signed in', async () => {
  const page = await open(contactDetails)
  expect(await openMenu(page)).toEqual(['Contact Details'])
  await expectGoodTree(page)
})

test('a page that keeps no rule is told all of it', async () => {
  const page = await portal.reopen()
  // No page of the portal's, whose script would mind.
  await page.goto('/api/account/')
  await page.evaluate(() => {
    document.body.innerHTML = `
      <nav aria-label="Site"><a href="/api/account/">Here</a></nav><nav aria-label="Site"><ol><li>One</li></ol></nav><nav></nav>
      <main><h1>One</h1><h3>Three</h3></main><main><h1>Another</h1></main>
      <fieldset role="radiogroup"><input type="radio" aria-label="Alone"></fieldset>
      <progress value="1" max="2"></progress><table><tr><th>Row</th><td>1</td></tr><tr><th>Row</th><td>2</td></tr></table>
      <div role="tablist" aria-label="Views"><button role="tab">One</button></div><button></button><input><a href="/"></a><details><summary></summary></details>`
  })
  expect(await treeFaults(page)).toEqual([
    '0 times banner',
    '2 times main',
    '0 times contentinfo',
    'a navigation without a name',
    'a radiogroup without a name',
    'a progressbar without a name',
    'a table without a name',
    'a button without a name',
    'a textbox without a name',
    'a link without a name',
    'a DisclosureTriangle without a name',
    'two navigations “Site”',
    '2 headings of level 1',
    'the heading “Three” skips to level 3',
    'the radio button “Alone” in no named group',
    'the value of “” is not told in words',
    'the table “Row1Row2” has no heads of columns',
    'the link “Here” leads to this page and does not say so',
    'the steps “Site” do not say which is the present one',
    'of the tabs “Views” not one is selected',
  ])
})
