import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { phoneNumberPattern, says } from './dashboard.ts'
import { sizes, usePortal } from './use-portal.ts'
import { visitorChoosingPlan, payingVisitor, subscriber } from './screens/people.ts'
import { type Screen, createStage } from './screens/screen.ts'
import { screenFromLink, anonymousScreen, openedScreen } from './screens/screen-builders.ts'
import { expectValidTree, findTreeFaults } from './accessibility-tree.ts'
import { expectHeading } from './wizard.ts'
import { resizePage } from './resize-page.ts'

const portal = usePortal()

const reads =
  (h1: string | RegExp, ...texts: string[]) =>
  async (page: Page): Promise<void> => {
    await expectHeading(page, h1)
    await says(page, ...texts)
  }

const login = anonymousScreen('the login', '/login/', reads('Welcome Back'))
const contactDetails = openedScreen(
  'the contact details',
  '/account/contact-details/',
  subscriber,
  reads('Contact Details'),
)

const places: [Screen, here: string | null][] = [
  [login, null],
  [anonymousScreen('the SIM step', '/activate/', reads('Activate your SIM')), 'SIM Pack Details'],
  [
    openedScreen('the plans', '/activate/plans/', visitorChoosingPlan, reads('Choose Your Prepay Plan')),
    'Prepay Plan Details',
  ],
  [openedScreen('the checkout', '/activate/checkout/', payingVisitor, reads('Payment')), 'Payment Details'],
  [
    openedScreen('the dashboard', '/services/U/', subscriber, reads(phoneNumberPattern, 'Updated')),
    '25 GB Prepay Plan',
  ],
  [openedScreen('the usage detail', '/services/U/detail/', subscriber, reads('Usage Detail', 'Updated')), null],
  [
    screenFromLink('the invoice', '/services/U/invoices/O/', subscriber, {
      link: async ({ service }) => `/services/${service.id}/invoices/${service.orderCode}/`,
      act: reads('Tax Invoice'),
    }),
    null,
  ],
  [openedScreen('the renewal', '/services/renew/R/plan/', subscriber, reads('Renew Prepay Plan')), 'Card payment'],
  [contactDetails, 'Contact Details'],
]

test.each(places.map(([screen, here]) => [screen.name, screen, here] as const))(
  'the accessibility tree of %s has no faults on a desktop and on a phone',
  async (_, screen, here) => {
    const page = await screen.open(createStage(portal))
    await expectValidTree(page)
    const marked = await page.getByRole('main').locator('nav [aria-current]').allTextContents()
    expect(marked).toHaveLength(here === null ? 0 : 1)
    expect(marked.join()).toContain(here ?? '')
    await resizePage(page, sizes.phone)
    await expectValidTree(page)
  },
)

async function openMenu(page: Page): Promise<string[]> {
  await resizePage(page, sizes.phone)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('navigation', { name: 'Site' }).waitFor()
  const account = page.getByText('Account Settings')
  if (await account.isVisible()) await account.click()
  return page.getByRole('banner').locator('[aria-current="page"]').allTextContents()
}

test('an open menu’s accessibility tree has no faults', async () => {
  const page = await login.open(createStage(portal))
  expect(await openMenu(page)).toEqual(['Login'])
  await expectValidTree(page)
})

test('a signed-in customer’s open menu has no faults in its accessibility tree', async () => {
  const page = await contactDetails.open(createStage(portal))
  expect(await openMenu(page)).toEqual(['Contact Details'])
  await expectValidTree(page)
})

test('the accessibility tree check reports every kind of fault on a page that contains them all', async () => {
  const page = await portal.reopen()
  // Start with a document that lacks the portal's script, which would react to the changes.
  await page.goto('/api/account/')
  await page.evaluate(() => {
    document.body.innerHTML = `
      <nav aria-label="Site"><a href="/api/account/">Here</a></nav><nav aria-label="Site"><ol><li>One</li></ol></nav><nav></nav>
      <main><h1>One</h1><h3>Three</h3></main><main><h1>Another</h1></main>
      <fieldset role="radiogroup"><input type="radio" aria-label="Alone"></fieldset>
      <progress value="1" max="2"></progress><table><tr><th>Row</th><td>1</td></tr><tr><th>Row</th><td>2</td></tr></table>
      <div role="tablist" aria-label="Views"><button role="tab">One</button></div>
      <button></button><input><a href="/"></a><details><summary></summary></details>`
  })
  expect(await findTreeFaults(page)).toEqual([
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
    '2 level-1 headings',
    'the heading “Three” skips to level 3',
    'the radio button “Alone” is not in a named group',
    'the gauge “” has no aria-valuetext',
    'the table “Row1Row2” has no column headers',
    'the link “Here” leads to this page but is not marked as current',
    'the steps “Site” do not mark exactly one step as current',
    'the tab list “Views” does not have exactly one selected tab',
  ])
})
