import type { Page } from 'playwright-core'
import type { Activation } from '#features/activation/activation.contract.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { activate, portForm, advanceWizardTo, type WizardVisitor } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import type { World } from '#quality/support/world.ts'
import { getButton, enter, reads } from '../account.ts'
import { expectHeading, wizard } from '../wizard.ts'
import { mockResponse, editResponse, cut, hold } from './page-calls.ts'
import { payingVisitor, createWizardVisitor } from './people.ts'
import { once, type Screen } from './screen.ts'
import { openedScreen, preparedScreen } from './screen-builders.ts'

const redeeming = once(async (world) => advanceWizardTo(world, 'PAYMENT', { voucher: await world.newVoucher() }))

const pay = (page: Page): Promise<void> => page.getByRole('button', { name: /^ACTIVATE/ }).click()
const payCalls = '**/api/activate/pay/'

async function comeTo(page: Page, { look }: WizardVisitor, now: Partial<Activation>): Promise<void> {
  await hold(page, '**/api/activate/activate/')
  await mockResponse(page, payCalls, 200, { ...(await look()), ...now })
  await wizard.card(page)
  await pay(page)
}

const processing = (
  name: string,
  stage: Activation['activation_state'],
  act: (page: Page) => Promise<unknown>,
): Screen => ({
  ...preparedScreen(name, '/activate/checkout/', payingVisitor, {
    prepare: (page) => page.clock.install(),
    act: async (page, traveller) => {
      await comeTo(page, traveller, { state: 'ACTIVATING', activation_state: stage })
      await page.waitForURL('**/activate/processing/')
      await act(page)
    },
  }),
  at: '/activate/processing/',
  // This screen changes the page's clock, so it needs its own browser context.
  alone: true,
})

async function asCustomer(world: World): Promise<World> {
  const { visitor } = await makeCustomer(world)
  return { ...world, visitor: () => visitor }
}

export const checkoutScreens: Screen[] = [
  openedScreen('checkout', '/activate/checkout/', payingVisitor),
  openedScreen('checkout without answers', '/activate/checkout/', payingVisitor, async (page) => {
    await pay(page)
    await reads(page, 'This field is required.')
  }),
  openedScreen('checkout with a bad card', '/activate/checkout/', payingVisitor, async (page) => {
    await enter(page, 'Card number', '4111 1111 1111 1112')
    await enter(page, 'Expiry', '13 / 20')
    await enter(page, 'Security code', '7')
    await reads(page, 'Please enter a valid CSC.')
  }),
  openedScreen('checkout declined', '/activate/checkout/', createWizardVisitor('PAYMENT'), async (page) => {
    await wizard.card(page, 'DECLINED')
    await pay(page)
    await reads(page, 'Your bank declined this payment.')
  }),
  openedScreen('checkout, another price by now', '/activate/checkout/', payingVisitor, async (page) => {
    await editResponse<Activation>(page, '**/api/activate/', (activation) => ({ ...activation, balance_due: '99.00' }))
    await mockResponse(page, payCalls, 409, { total: '99.00' })
    await wizard.card(page)
    await pay(page)
    await reads(page, 'It costs $99.00 now')
  }),
  openedScreen('checkout under way', '/activate/checkout/', payingVisitor, async (page) => {
    await hold(page, payCalls)
    await wizard.card(page)
    await pay(page)
    await page.getByRole('button', { name: 'ACTIVATING' }).waitFor()
  }),
  openedScreen('checkout in doubt', '/activate/checkout/', payingVisitor, async (page) => {
    await hold(page, '**/resume/')
    await mockResponse(page, payCalls, 202, { order_code: 'FT0001', retry: true })
    await wizard.card(page)
    await pay(page)
    await reads(page, 'We’re confirming your payment…')
  }),
  openedScreen('checkout with a voucher', '/activate/checkout/', redeeming),
  openedScreen('checkout of a customer', '/activate/checkout/', async ({ world }) =>
    advanceWizardTo(await asCustomer(world), 'PAYMENT'),
  ),
  openedScreen('checkout with the saved card', '/activate/checkout/', async ({ world }) => {
    const { visitor } = await makeCustomer(world, { card: true })
    return advanceWizardTo({ ...world, visitor: () => visitor }, 'PAYMENT')
  }),
  {
    ...openedScreen('checkout, the summary', '/activate/checkout/', payingVisitor, async (page) => {
      await getButton(page, 'SEE SUMMARY').click()
      await page.getByRole('dialog', { name: 'Summary' }).waitFor()
    }),
    widths: [320, 768],
  },

  processing('starting', 'NOT_STARTED', (page) => expectHeading(page, 'Starting... Connecting to the Network')),
  processing('adding the plan', 'ADDING_PLAN', (page) => expectHeading(page, 'Adding Prepay Plan')),
  processing('a long wait', 'FINISHING', async (page) => {
    await page.clock.fastForward(10_500)
    await reads(page, 'The network is taking a little longer')
  }),
  openedScreen('failed for now', '/activate/error/', ({ world }) => activate(world, { behaviour: 'fails_once' })),
  openedScreen('failed for good', '/activate/error/', ({ world }) => activate(world, { behaviour: 'fails_always' })),
  openedScreen(
    'failed, and Try Again finds no visitor',
    '/activate/error/',
    ({ world }) => activate(world, { behaviour: 'fails_once' }),
    async (page) => {
      await cut(page, '**/api/activate/activate/')
      await getButton(page, 'Try Again').click()
      await reads(page, 'Sorry, there was an unexpected error.')
    },
  ),
  openedScreen('done', '/activate/success/', ({ world }) =>
    activate(world, { email: `${'p'.repeat(50)}.${Date.now()}@example.nz` }),
  ),
  openedScreen('done with a transfer', '/activate/success/', async ({ world }) =>
    activate(world, { port: portForm(await newPortableNumber(world)) }),
  ),
  openedScreen('done by a customer', '/activate/success/', async ({ world }) =>
    activate(await asCustomer(world), { voucher: await world.newVoucher() }),
  ),
]
