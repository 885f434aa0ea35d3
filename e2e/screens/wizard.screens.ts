import type { Page } from 'playwright-core'
import type { Activation } from '#features/activation/activation.contract.ts'
import { makeCustomer } from '#testing/customer.ts'
import { activate, type Luggage, portAnswers, travelTo, type Traveller } from '#testing/journey.ts'
import { newEmail } from '#testing/world.ts'
import { button, enter, labelled, reads } from '../account.ts'
import { heading, wizard } from '../wizard.ts'
import { answer, cut, go, hold, settle } from './calls.ts'
import { once, type Screen, type Stage } from './screen.ts'

const longName = `Te Aroha-${'Whakarongotai'.repeat(9)} Ngarimu`
const port = portAnswers('+64275550111')

/** Somebody at each step, who sends nothing: so any number of screens may be theirs. */
const at = (state: Parameters<typeof travelTo>[1], luggage: Luggage = {}) => once((world) => travelTo(world, state, luggage))

const bringing = at('PORTING_ENTERED', { port })
const signingUp = at('CREATED')
const signingUpWithNumber = at('CREATED', { port })
const choosingMethod = at('DETAILS_ENTERED', { full_name: longName, email: `${'m'.repeat(60)}.${Date.now()}@example.nz` })
const choosingPlan = at('METHOD_ENTERED')
const paying = at('PAYMENT', { plan: 'plan-90-25gb', port })
const redeeming = once(async (world) => travelTo(world, 'PAYMENT', { voucher: await world.newVoucher() }))
const voucher = once((world) => world.newVoucher('plan-90-25gb'))

type Step = (stage: Stage) => Promise<Traveller>

/** A screen of the step that its visitor has come to. */
const of = (name: string, path: string, step: Step, then?: (page: Page, stage: Stage) => Promise<unknown>): Screen => ({
  name,
  at: path,
  async open(stage) {
    const page = await stage.visit(path, await step(stage))
    await then?.(page, stage)
    return page
  },
})

/** One of somebody new. */
const fresh = (name: string, path: string, then?: (page: Page, stage: Stage) => Promise<unknown>): Screen => ({
  name,
  at: path,
  async open(stage) {
    const page = await stage.visit(path)
    await then?.(page, stage)
    return page
  },
})

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

const processing = (name: string, stage: Activation['activation_state'], then?: (page: Page) => Promise<unknown>): Screen => ({
  name,
  at: '/activate/processing/',
  // With a clock of its own.
  alone: true,
  async open(here) {
    const traveller = await paying(here)
    const page = await here.enter(traveller)
    await page.clock.install()
    await page.goto('/activate/checkout/')
    await settle(page)
    await comeTo(page, traveller, { state: 'ACTIVATING', activation_state: stage })
    await page.waitForURL('**/activate/processing/')
    await then?.(page)
    return page
  },
})

/** A phone's number, the PIN and no transfer. */
async function fillPack(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Phone Number on the SIM pack' }).fill('021 600 0000')
  await page.getByRole('textbox', { name: 'Last 4 digits of the SIM Number' }).fill('1234')
  await page.getByRole('radio', { name: /^No, use/ }).check()
}

const afterwards = (name: string, luggage: (stage: Stage) => Promise<Luggage>, who: 'stranger' | 'customer' = 'stranger'): Screen => ({
  name,
  at: '/activate/success/',
  async open(stage) {
    const place = who === 'stranger' ? stage.world : { ...stage.world, visitor: ((visitor) => () => visitor)((await makeCustomer(stage.world)).visitor) }
    return stage.visit('/activate/success/', await activate(place, await luggage(stage)))
  },
})

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
    name: 'SIM pack with a voucher',
    at: '/activate/new/',
    async open(stage) {
      const page = await stage.visit(`/use-voucher/${await voucher(stage)}/`)
      await page.getByRole('link', { name: /^Activate a new Prepay Plan/ }).click()
      await heading(page, 'Activate a new SIM')
      await reads(page, 'Paid with your voucher')
      return page
    },
  },
  {
    name: 'the activation cannot be loaded',
    at: '/activate/',
    async open({ visit }) {
      const page = await visit('/login/')
      await answer(page, '**/api/activate/', 500)
      await go(page, '/activate/')
      await heading(page, 'Something Went Wrong')
      return page
    },
  },

  of('number transfer', '/activate/porting/', bringing),
  of('number transfer without answers', '/activate/porting/', bringing, async (page) => {
    await next(page)
    await reads(page, 'You must provide an Existing Prepay SIM Number')
  }),
  of('number transfer, prepay', '/activate/porting/', bringing, async (page) => {
    await page.getByRole('radio', { name: 'Prepay' }).check()
    await enter(page, 'Existing Prepay SIM Number', '896405')
    await reads(page, 'Please enter a valid Prepay SIM Number')
    await page.getByText('It is printed on your old SIM').waitFor()
  }),
  of('number transfer, account', '/activate/porting/', bringing, async (page) => {
    await labelled(page, 'Phone Number you want to bring').fill('027 555 0111')
    await page.getByRole('radio', { name: 'Account' }).check()
    await enter(page, 'Existing Account Number', '')
    await page.getByText('Find your Account Number').click()
    await reads(page, 'It is on the bill')
  }),

  of('personal details', '/activate/signup/', signingUp),
  of('personal details with a transfer', '/activate/signup/', signingUpWithNumber),
  of('personal details with faults', '/activate/signup/', signingUp, async (page) => {
    await enter(page, 'Full name', longName.replaceAll(' ', ''))
    await enter(page, 'Email', 'ana@')
    await enter(page, 'New password', 'tui')
    await reads(page, 'Your password must be at least 6 characters.')
  }),
  of('personal details filled in', '/activate/signup/', signingUp, async (page) => {
    await labelled(page, 'Full name').fill(longName)
    await labelled(page, 'Email').fill(newEmail())
    await labelled(page, 'New password').fill('korimako 1')
    await page.getByRole('checkbox').check()
  }),

  of('method', '/activate/method/', choosingMethod),
  of('method without an answer', '/activate/method/', choosingMethod, async (page) => {
    await next(page)
    await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
  }),
  of('method, a voucher', '/activate/method/', choosingMethod, async (page, stage) => {
    await page.getByRole('radio', { name: /Voucher Code/ }).check()
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill(await voucher(stage))
    await reads(page, 'Paid with your voucher')
  }),
  of('method, no voucher', '/activate/method/', choosingMethod, async (page) => {
    await page.getByRole('radio', { name: /Voucher Code/ }).check()
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
    await reads(page, 'This voucher code is not valid.')
  }),

  of('plans', '/activate/plans/', choosingPlan),
  of('plans, none chosen', '/activate/plans/', choosingPlan, async (page) => {
    await next(page)
    await reads(page, 'Please select a Prepay Plan.')
  }),
  of('plans of a year, one chosen', '/activate/plans/', choosingPlan, async (page) => {
    await page.getByRole('slider', { name: 'Plan length' }).press('End')
    await page.getByRole('radio', { name: /^60 GB/ }).check()
  }),
  of('plans, all of them', '/activate/plans/', choosingPlan, async (page) => {
    await button(page, 'Show all plans').click()
    await page.getByRole('table').first().waitFor()
  }),
  of('plans with their terms', '/activate/plans/', choosingPlan, (page) => page.getByText('Prepay Plan terms').click()),
  {
    name: 'plans that did not load',
    at: '/activate/plans/',
    async open(stage) {
      const traveller = await travelTo(stage.world, 'DETAILS_ENTERED')
      const page = await stage.visit('/activate/method/', traveller)
      await answer(page, '**/api/products/**', 500)
      await wizard.buyNow(page)
      await page.waitForURL('**/activate/plans/')
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      return page
    },
  },

  of('checkout', '/activate/checkout/', paying),
  of('checkout without answers', '/activate/checkout/', paying, async (page) => {
    await pay(page)
    await reads(page, 'This field is required.')
  }),
  of('checkout with a bad card', '/activate/checkout/', paying, async (page) => {
    await enter(page, 'Card number', '4111 1111 1111 1112')
    await enter(page, 'Expiry', '13 / 20')
    await enter(page, 'Security code', '7')
    await reads(page, 'Please enter a valid CSC.')
  }),
  of('checkout declined', '/activate/checkout/', at('PAYMENT'), async (page) => {
    await wizard.card(page, 'DECLINED')
    await pay(page)
    await reads(page, 'Your card was declined.')
  }),
  of('checkout under way', '/activate/checkout/', paying, async (page) => {
    await hold(page, payCalls)
    await wizard.card(page)
    await pay(page)
    await page.getByRole('button', { name: 'ACTIVATING' }).waitFor()
  }),
  of('checkout in doubt', '/activate/checkout/', paying, async (page) => {
    await hold(page, '**/resume/')
    await answer(page, payCalls, 202, { order_code: 'FT0001', retry: true })
    await wizard.card(page)
    await pay(page)
    await reads(page, 'We’re confirming your payment…')
  }),
  of('checkout with a voucher', '/activate/checkout/', redeeming),
  {
    name: 'checkout of a customer',
    at: '/activate/checkout/',
    async open(stage) {
      const { visitor } = await makeCustomer(stage.world)
      return stage.visit('/activate/checkout/', await travelTo({ ...stage.world, visitor: () => visitor }, 'PAYMENT'))
    },
  },
  {
    ...of('checkout, the summary', '/activate/checkout/', paying, async (page) => {
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
  {
    name: 'failed for now',
    at: '/activate/error/',
    open: async (stage) => stage.visit('/activate/error/', await activate(stage.world, { behaviour: 'fails_once' })),
  },
  {
    name: 'failed for good',
    at: '/activate/error/',
    open: async (stage) => stage.visit('/activate/error/', await activate(stage.world, { behaviour: 'fails_always' })),
  },
  {
    name: 'failed, and Try Again finds nobody',
    at: '/activate/error/',
    async open(stage) {
      const page = await stage.visit('/activate/error/', await activate(stage.world, { behaviour: 'fails_once' }))
      await cut(page, '**/api/activate/activate/')
      await button(page, 'Try Again').click()
      await reads(page, 'Sorry, there was an unexpected error.')
      return page
    },
  },
  afterwards('done', async () => ({ email: `${'p'.repeat(60)}.${Date.now()}@example.nz` })),
  afterwards('done with a transfer', async () => ({ port })),
  afterwards('done by a customer', async ({ world }) => ({ voucher: await world.newVoucher() }), 'customer'),
]
