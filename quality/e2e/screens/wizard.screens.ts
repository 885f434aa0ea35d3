import type { Page } from 'playwright-core'
import { formatNational } from '#kit/contract/phone.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newEmail, type World } from '#quality/support/world.ts'
import { getButton, enter, getField, reads } from '../account.ts'
import { expectHeading, wizard } from '../wizard.ts'
import { mockResponse, cut, hold } from './page-calls.ts'
import { checkoutScreens } from './checkout.screens.ts'
import { visitorChoosingPlan, createNoOwner, buildPortForm, createWizardVisitor, voucher } from './people.ts'
import type { Screen, Stage } from './screen.ts'
import { anonymousScreen, openedScreen, screenByNavigation } from './screen-builders.ts'

const longName = `Te Aroha-${'Whakarongotai'.repeat(9)} Ngarimu`

const withPort = (world: World) => ({ port: buildPortForm(world) })
const bringing = createWizardVisitor('PORTING_ENTERED', withPort)
const signingUp = createWizardVisitor('CREATED')
const signingUpWithNumber = createWizardVisitor('CREATED', withPort)
const choosingMethod = createWizardVisitor('DETAILS_ENTERED', () => ({
  full_name: longName,
  email: `${'m'.repeat(50)}.${Date.now()}@example.nz`,
}))
const next = (page: Page): Promise<void> => getButton(page, 'CONTINUE').click()
async function fillPack(page: Page, { world }: Stage): Promise<void> {
  await page
    .getByRole('textbox', { name: 'Phone Number on the SIM pack' })
    .fill(world.deps.market.code === 'NZ' ? '021 600 0000' : '0412 000 000')
  await page.getByRole('textbox', { name: 'Last 4 digits of the SIM Number' }).fill('1234')
  await page.getByRole('radio', { name: /^No, use/ }).check()
}

export const wizardScreens: Screen[] = [
  anonymousScreen('SIM pack', '/activate/'),
  anonymousScreen('SIM pack, new', '/activate/new/'),
  { ...anonymousScreen('SIM pack, from an unknown address', '/activate/elsewhere/'), leadsTo: '/activate/' },
  anonymousScreen('SIM pack without answers', '/activate/', async (page) => {
    await getButton(page, 'START').click()
    await reads(page, 'This field is required.')
  }),
  anonymousScreen('SIM pack refused', '/activate/', async (page, _, stage) => {
    await fillPack(page, stage)
    await getButton(page, 'START').click()
    await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
  }),
  anonymousScreen('SIM pack being checked', '/activate/', async (page, _, stage) => {
    await hold(page, '**/api/activate/sim/')
    await fillPack(page, stage)
    await getButton(page, 'START').click()
    await page.getByRole('button', { name: 'CHECKING' }).waitFor()
  }),
  anonymousScreen('SIM pack, no network', '/activate/', async (page, _, stage) => {
    await cut(page, '**/api/activate/sim/')
    await fillPack(page, stage)
    await getButton(page, 'START').click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  {
    ...anonymousScreen('SIM pack with a voucher', '/use-voucher/V/', async (page) => {
      await page.getByRole('link', { name: /^Activate a new Prepay Plan/ }).click()
      await expectHeading(page, 'Activate a new SIM')
      await reads(page, 'Paid with your voucher')
    }),
    at: '/activate/new/',
  },
  screenByNavigation('the activation cannot be loaded', '/activate/', createNoOwner, {
    prepare: (page) => mockResponse(page, '**/api/activate/', 500),
    act: (page) => expectHeading(page, 'Something Went Wrong'),
  }),

  openedScreen('number transfer', '/activate/porting/', bringing),
  openedScreen('number transfer without answers', '/activate/porting/', bringing, async (page) => {
    await next(page)
    await reads(page, 'You must provide an Existing Prepay SIM Number')
  }),
  openedScreen('number transfer, prepay', '/activate/porting/', bringing, async (page) => {
    await page.getByRole('radio', { name: 'Prepay' }).check()
    await enter(page, 'Existing Prepay SIM Number', '123456')
    await reads(page, 'Please enter a valid Prepay SIM Number')
    await page.getByText('It’s printed on your old SIM').waitFor()
  }),
  openedScreen('number transfer, account', '/activate/porting/', bringing, async (page, _, { world }) => {
    await getField(page, 'Phone Number you want to bring').fill(formatNational(buildPortForm(world).msisdn))
    await page.getByRole('radio', { name: 'Account' }).check()
    await enter(page, 'Existing Account Number', '')
    await page.getByText('Find your Account Number').click()
    await reads(page, 'It’s on the bill from your current provider.')
  }),

  openedScreen('personal details', '/activate/signup/', signingUp),
  openedScreen('personal details with a transfer', '/activate/signup/', signingUpWithNumber),
  openedScreen('personal details with faults', '/activate/signup/', signingUp, async (page) => {
    await enter(page, 'Full name', longName.replaceAll(' ', ''))
    await enter(page, 'Email', 'ana@')
    await enter(page, 'New password', 'tui')
    await reads(page, 'Your password must be at least 6 characters.')
  }),
  openedScreen(
    'personal details with a question about the email address',
    '/activate/signup/',
    signingUp,
    async (page) => {
      await enter(page, 'Email', 'ana.rewi@gmial.com')
      await reads(page, 'Did you mean')
    },
  ),
  openedScreen('personal details filled in', '/activate/signup/', signingUp, async (page) => {
    await getField(page, 'Full name').fill(longName)
    await getField(page, 'Email').fill(newEmail())
    await getField(page, 'New password').fill('korimako 1')
    await page.getByRole('checkbox').check()
  }),

  openedScreen('method', '/activate/method/', choosingMethod),
  openedScreen('method without an answer', '/activate/method/', choosingMethod, async (page) => {
    await next(page)
    await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
  }),
  openedScreen('method, a voucher', '/activate/method/', choosingMethod, async (page, _, stage) => {
    await page.getByRole('radio', { name: /Voucher Code/ }).check()
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill(await voucher(stage))
    await reads(page, 'Paid with your voucher')
  }),
  openedScreen('method, no voucher', '/activate/method/', choosingMethod, async (page) => {
    await page.getByRole('radio', { name: /Voucher Code/ }).check()
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
    await reads(page, 'This voucher code is not valid.')
  }),

  openedScreen('plans', '/activate/plans/', visitorChoosingPlan),
  openedScreen('plans, none chosen', '/activate/plans/', visitorChoosingPlan, async (page) => {
    await next(page)
    await reads(page, 'Please select a Prepay Plan.')
  }),
  openedScreen('plans of a year, one chosen', '/activate/plans/', visitorChoosingPlan, async (page) => {
    await page.getByRole('slider', { name: 'Plan length' }).press('End')
    await page.getByRole('radio', { name: /^60 GB/ }).check()
  }),
  openedScreen('plans, all of them', '/activate/plans/', visitorChoosingPlan, async (page) => {
    await getButton(page, 'Show all plans').click()
    await page.getByRole('table').first().waitFor()
  }),
  openedScreen('plans with their terms', '/activate/plans/', visitorChoosingPlan, (page) =>
    page.getByText('Prepay Plan terms').click(),
  ),
  {
    ...openedScreen(
      'plans that did not load',
      '/activate/method/',
      ({ world }) => advanceWizardTo(world, 'DETAILS_ENTERED'),
      async (page) => {
        await mockResponse(page, '**/api/products/**', 500)
        await wizard.buyNow(page)
        await page.waitForURL('**/activate/plans/')
        await page.getByRole('button', { name: 'Try again' }).waitFor()
      },
    ),
    at: '/activate/plans/',
  },

  ...checkoutScreens,
]
