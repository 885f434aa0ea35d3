import type { Page } from 'playwright-core'
import type { Activation } from '#features/activation/activation.contract.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { activate, portAnswers, travelTo, type Traveller } from '#quality/support/journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import type { World } from '#quality/support/world.ts'
import { button, enter, reads } from '../account.ts'
import { heading, wizard } from '../wizard.ts'
import { answer, change, cut, hold } from './calls.ts'
import { paying, travellerAt } from './people.ts'
import { once, type Screen } from './screen.ts'
import { opened, prepared } from './ways.ts'

const redeeming = once(async (world) => travelTo(world, 'PAYMENT', { voucher: await world.newVoucher() }))

const pay = (page: Page): Promise<void> => page.getByRole('button', { name: /^ACTIVATE/ }).click()
const payCalls = '**/api/activate/pay/'

async function comeTo(page: Page, { look }: Traveller, now: Partial<Activation>): Promise<void> {
  await hold(page, '**/api/activate/activate/')
  await answer(page, payCalls, 200, { ...(await look()), ...now })
  await wizard.card(page)
  await pay(page)
}

const processing = (
  name: string,
  stage: Activation['activation_state'],
  act: (page: Page) => Promise<unknown>,
): Screen => ({
  ...prepared(name, '/activate/checkout/', paying, {
    prepare: (page) => page.clock.install(),
    act: async (page, traveller) => {
      await comeTo(page, traveller, { state: 'ACTIVATING', activation_state: stage })
      await page.waitForURL('**/activate/processing/')
      await act(page)
    },
  }),
  at: '/activate/processing/',
  // It changes the clock, so it needs a browser of its own.
  alone: true,
})

async function asCustomer(world: World): Promise<World> {
  const { visitor } = await makeCustomer(world)
  return { ...world, visitor: () => visitor }
}

export const checkoutScreens: Screen[] = [
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
  opened('checkout declined', '/activate/checkout/', travellerAt('PAYMENT'), async (page) => {
    await wizard.card(page, 'DECLINED')
    await pay(page)
    await reads(page, 'Your bank declined this payment.')
  }),
  opened('checkout, another price by now', '/activate/checkout/', paying, async (page) => {
    await change<Activation>(page, '**/api/activate/', (activation) => ({ ...activation, balance_due: '99.00' }))
    await answer(page, payCalls, 409, { total: '99.00' })
    await wizard.card(page)
    await pay(page)
    await reads(page, 'It costs $99.00 now')
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
  opened('checkout with the saved card', '/activate/checkout/', async ({ world }) => {
    const { visitor } = await makeCustomer(world, { card: true })
    return travelTo({ ...world, visitor: () => visitor }, 'PAYMENT')
  }),
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
  opened('done with a transfer', '/activate/success/', async ({ world }) =>
    activate(world, { port: portAnswers(await newPortableNumber(world)) }),
  ),
  opened('done by a customer', '/activate/success/', async ({ world }) =>
    activate(await asCustomer(world), { voucher: await world.newVoucher() }),
  ),
]
