import type { Page } from 'playwright-core'
import type { Activation } from '#features/activation/activation.contract.ts'
import { makeCustomer } from '#testing/customer.ts'
import { activate, type WizardAnswers, portAnswers, travelTo, type Traveller } from '#testing/journey.ts'
import { newEmail, type World } from '#testing/world.ts'
import { button, enter, labelled, reads } from '../account.ts'
import { heading, wizard } from '../wizard.ts'
import { answer, cut, hold } from './calls.ts'
import { choosingPlan, noCustomer, paying, voucher } from './people.ts'
import { once, type Screen } from './screen.ts'
import { fresh, opened, prepared, reached } from './ways.ts'

const longName = `Te Aroha-${'Whakarongotai'.repeat(9)} Ngarimu`
const port = portAnswers('+64275550111')

/** A visitor at each step, who sends nothing: so any number of screens may be theirs. */
const at = (state: Parameters<typeof travelTo>[1], answers: WizardAnswers = {}) =>
  once((world) => travelTo(world, state, answers))

const bringing = at('PORTING_ENTERED', { port })
const signingUp = at('CREATED')
const signingUpWithNumber = at('CREATED', { port })
const choosingMethod = at('DETAILS_ENTERED', {
  full_name: longName,
  email: `${'m'.repeat(60)}.${Date.now()}@example.nz`,
})
const redeeming = once(async (world) => travelTo(world, 'PAYMENT', { voucher: await world.newVoucher() }))

const next = (page: Page): Promise<void> => button(page, 'CONTINUE').click()
const pay = (page: Page): Promise<void> => page.getByRole('button', { name: /^ACTIVATE/ }).click()
const payCalls = '**/api/activate/pay/'

/** Pays, and the answer is that the activation has come to this. */
async function comeTo(page: Page, { look }: Traveller, now: Partial<Activation>): Promise<void> {
  await hold(page, '**/api/activate/activate/')
  await answer(page, payCalls, 200, { ...(await look()), ...now })
  await wizard.card(page)
  await pay(page)
}

const processing = (
  name: string,
  stage: Activation['activation_state'],
  then: (page: Page) => Promise<unknown>,
): Screen => ({
  ...prepared(
    name,
    '/activate/checkout/',
    paying,
    (page) => page.clock.install(),
    async (page, traveller) => {
      await comeTo(page, traveller, { state: 'ACTIVATING', activation_state: stage })
      await page.waitForURL('**/activate/processing/')
      await then(page)
    },
  ),
  at: '/activate/processing/',
  // With a clock of its own.
  alone: true,
})

/** A phone's number, the PIN and no transfer. */
async function fillPack(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Phone Number on the SIM pack' }).fill('021 600 0000')
  await page.getByRole('textbox', { name: 'Last 4 digits of the SIM Number' }).fill('1234')
  await page.getByRole('radio', { name: /^No, use/ }).check()
}

/** The world of a customer, who walks through the wizard in it. */
async function asCustomer(world: World): Promise<World> {
  const { visitor } = await makeCustomer(world)
  return { ...world, visitor: () => visitor }
}

/** Every step of the activation. */
export const wizardScreens: Screen[] = [
  fresh('SIM pack', '/activate/'),
  fresh('SIM pack, new', '/activate/new/'),
  fresh('SIM pack without answers', '/activate/', async (page) => {
    await button(page, 'START').click()
    await reads(page, 'This field is required.')
  }),
  fresh('SIM pack refused', '/activate/', async (page) => {
    await fillPack(page)
    await button(page, 'START').click()
    await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
  }),
  fresh('SIM pack being checked', '/activate/', async (page) => {
    await hold(page, '**/api/activate/sim/')
    await fillPack(page)
    await button(page, 'START').click()
    await page.getByRole('button', { name: 'CHECKING' }).waitFor()
  }),
  fresh('SIM pack, no network', '/activate/', async (page) => {
    await cut(page, '**/api/activate/sim/')
    await fillPack(page)
    await button(page, 'START').click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  {
    ...fresh('SIM pack with a voucher', '/use-voucher/V/', async (page) => {
      await page.getByRole('link', { name: /^Activate a new Prepay Plan/ }).click()
      await heading(page, 'Activate a new SIM')
      await reads(page, 'Paid with your voucher')
    }),
    at: '/activate/new/',
  },
  reached(
    'the activation cannot be loaded',
    '/activate/',
    noCustomer,
    (page) => answer(page, '**/api/activate/', 500),
    (page) => heading(page, 'Something Went Wrong'),
  ),

  opened('number transfer', '/activate/porting/', bringing),
  opened('number transfer without answers', '/activate/porting/', bringing, async (page) => {
    await next(page)
    await reads(page, 'You must provide an Existing Prepay SIM Number')
  }),
  opened('number transfer, prepay', '/activate/porting/', bringing, async (page) => {
    await page.getByRole('radio', { name: 'Prepay' }).check()
    await enter(page, 'Existing Prepay SIM Number', '896405')
    await reads(page, 'Please enter a valid Prepay SIM Number')
    await page.getByText('It is printed on your old SIM').waitFor()
  }),
  opened('number transfer, account', '/activate/porting/', bringing, async (page) => {
    await labelled(page, 'Phone Number you want to bring').fill('027 555 0111')
    await page.getByRole('radio', { name: 'Account' }).check()
    await enter(page, 'Existing Account Number', '')
    await page.getByText('Find your Account Number').click()
    await reads(page, 'It is on the bill')
  }),

  opened('personal details', '/activate/signup/', signingUp),
  opened('personal details with a transfer', '/activate/signup/', signingUpWithNumber),
  opened('personal details with faults', '/activate/signup/', signingUp, async (page) => {
    await enter(page, 'Full name', longName.replaceAll(' ', ''))
    await enter(page, 'Email', 'ana@')
    await enter(page, 'New password', 'tui')
    await reads(page, 'Your password must be at least 6 characters.')
  }),
  opened('personal details filled in', '/activate/signup/', signingUp, async (page) => {
    await labelled(page, 'Full name').fill(longName)
    await labelled(page, 'Email').fill(newEmail())
    await labelled(page, 'New password').fill('korimako 1')
    await page.getByRole('checkbox').check()
  }),

  opened('method', '/activate/method/', choosingMethod),
  opened('method without an answer', '/activate/method/', choosingMethod, async (page) => {
    await next(page)
    await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
  }),
  opened('method, a voucher', '/activate/method/', choosingMethod, async (page, _, stage) => {
    await page.getByRole('radio', { name: /Voucher Code/ }).check()
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill(await voucher(stage))
    await reads(page, 'Paid with your voucher')
  }),
  opened('method, no voucher', '/activate/method/', choosingMethod, async (page) => {
    await page.getByRole('radio', { name: /Voucher Code/ }).check()
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
    await reads(page, 'This voucher code is not valid.')
  }),

  opened('plans', '/activate/plans/', choosingPlan),
  opened('plans, none chosen', '/activate/plans/', choosingPlan, async (page) => {
    await next(page)
    await reads(page, 'Please select a Prepay Plan.')
  }),
  opened('plans of a year, one chosen', '/activate/plans/', choosingPlan, async (page) => {
    await page.getByRole('slider', { name: 'Plan length' }).press('End')
    await page.getByRole('radio', { name: /^60 GB/ }).check()
  }),
  opened('plans, all of them', '/activate/plans/', choosingPlan, async (page) => {
    await button(page, 'Show all plans').click()
    await page.getByRole('table').first().waitFor()
  }),
  opened('plans with their terms', '/activate/plans/', choosingPlan, (page) =>
    page.getByText('Prepay Plan terms').click(),
  ),
  {
    ...opened(
      'plans that did not load',
      '/activate/method/',
      ({ world }) => travelTo(world, 'DETAILS_ENTERED'),
      async (page) => {
        await answer(page, '**/api/products/**', 500)
        await wizard.buyNow(page)
        await page.waitForURL('**/activate/plans/')
        await page.getByRole('button', { name: 'Try again' }).waitFor()
      },
    ),
    at: '/activate/plans/',
  },

  opened('checkout', '/activate/checkout/', paying),
  opened('checkout without answers', '/activate/checkout/', paying, async (page) => {
    await pay(page)
    await reads(page, 'This field is required.')
  }),
  opened('checkout with a bad card', '/activate/checkout/', paying, async (page) => {
    await enter(page, 'Card number', '4111 1111 1111 1112')
    await enter(page, 'Expiry', '13 / 20')
    await enter(page, 'Security code', '7')
    await reads(page, 'Please enter a valid CSC.')
  }),
  opened('checkout declined', '/activate/checkout/', at('PAYMENT'), async (page) => {
    await wizard.card(page, 'DECLINED')
    await pay(page)
    await reads(page, 'Your card was declined.')
  }),
  opened('checkout under way', '/activate/checkout/', paying, async (page) => {
    await hold(page, payCalls)
    await wizard.card(page)
    await pay(page)
    await page.getByRole('button', { name: 'ACTIVATING' }).waitFor()
  }),
  opened('checkout in doubt', '/activate/checkout/', paying, async (page) => {
    await hold(page, '**/resume/')
    await answer(page, payCalls, 202, { order_code: 'FT0001', retry: true })
    await wizard.card(page)
    await pay(page)
    await reads(page, 'We’re confirming your payment…')
  }),
  opened('checkout with a voucher', '/activate/checkout/', redeeming),
  opened('checkout of a customer', '/activate/checkout/', async ({ world }) =>
    travelTo(await asCustomer(world), 'PAYMENT'),
  ),
  {
    ...opened('checkout, the summary', '/activate/checkout/', paying, async (page) => {
      await button(page, 'SEE SUMMARY').click()
      await page.getByRole('dialog', { name: 'Summary' }).waitFor()
    }),
    widths: [320, 768],
  },

  processing('starting', 'NOT_STARTED', (page) => heading(page, 'Starting... Connecting to the Network')),
  processing('adding the plan', 'ADDING_PLAN', (page) => heading(page, 'Adding Prepay Plan')),
  processing('a long wait', 'FINISHING', async (page) => {
    await page.clock.fastForward(10_500)
    await reads(page, 'The network is taking a little longer')
  }),
  opened('failed for now', '/activate/error/', ({ world }) => activate(world, { behaviour: 'fails_once' })),
  opened('failed for good', '/activate/error/', ({ world }) => activate(world, { behaviour: 'fails_always' })),
  opened(
    'failed, and Try Again finds no visitor',
    '/activate/error/',
    ({ world }) => activate(world, { behaviour: 'fails_once' }),
    async (page) => {
      await cut(page, '**/api/activate/activate/')
      await button(page, 'Try Again').click()
      await reads(page, 'Sorry, there was an unexpected error.')
    },
  ),
  opened('done', '/activate/success/', ({ world }) =>
    activate(world, { email: `${'p'.repeat(60)}.${Date.now()}@example.nz` }),
  ),
  opened('done with a transfer', '/activate/success/', ({ world }) => activate(world, { port })),
  opened('done by a customer', '/activate/success/', async ({ world }) =>
    activate(await asCustomer(world), { voucher: await world.newVoucher() }),
  ),
]
