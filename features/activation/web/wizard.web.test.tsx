import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { PageEntry } from '#kit/web/page.ts'
import { navigate } from '#kit/web/router/location.ts'
import { activationView, noActivationError, testProduct } from '#quality/support/activation-view.ts'
import { type FakeApi, createFakeApi, openPortal, withStatus } from '#quality/support/open-portal.tsx'
import type { Activation } from '../activation.contract.ts'
import { activationPages } from './activation.pages.ts'

const user = userEvent.setup()
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const back = () => user.click(screen.getByRole('button', { name: 'BACK' }))
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })

const titles = {
  sim: 'Activate your SIM',
  porting: 'Number Transfer Details',
  signup: 'Your Personal Details',
  method: 'Choose Your Prepay Plan',
}
type Step = keyof typeof titles

async function open(step: Step, now: Activation | ApiError, replies = {}) {
  const api = createFakeApi({
    'GET /api/activate/': now,
    'GET /api/account/': { authenticated: false, user: null },
    ...replies,
  })
  await openPortal(activationPages, step === 'sim' ? '/activate/' : `/activate/${step}/`, api)
  return api
}

const signedIn = { 'GET /api/account/': { authenticated: true, user: { first_name: 'Ana' } } }

beforeEach(() => sessionStorage.clear())

describe("the activation wizard's step bar", () => {
  const bar = () => within(screen.getByRole('navigation', { name: 'Progress' })).getAllByRole('listitem')

  test.each<[Step, Activation | ApiError, string[], number]>([
    ['sim', noActivationError, ['SIM Pack Details', 'Personal Details', 'Prepay Plan Details', 'Payment Details'], 0],
    ['signup', activationView(), ['SIM Pack Details', 'Personal Details', 'Prepay Plan Details', 'Payment Details'], 1],
    [
      'porting',
      activationView({ state: 'PORTING_ENTERED', setup_porting: true }),
      ['Number Transfer Details', 'Personal Details', 'Prepay Plan Details', 'Payment Details'],
      0,
    ],
    [
      'method',
      activationView({ state: 'DETAILS_ENTERED', setup_porting: true }),
      ['Number Transfer Details', 'Personal Details', 'Prepay Plan Details', 'Payment Details'],
      2,
    ],
  ])('the step bar on the page %s names all steps and marks the current one', async (step, now, names, current) => {
    await open(step, now)
    await screen.findByRole('button', { name: /START|CONTINUE/ })
    expect(bar().map(({ textContent }) => textContent)).toEqual(names)
    expect(bar().findIndex((item) => item.getAttribute('aria-current') === 'step')).toBe(current)
  })
})

describe('the step bar for a signed-in customer', () => {
  test.each<[Step, Activation, string[], number]>([
    [
      'method',
      activationView({ state: 'DETAILS_ENTERED' }),
      ['SIM Pack Details', 'Prepay Plan Details', 'Payment Details'],
      1,
    ],
    [
      'method',
      activationView({ state: 'DETAILS_ENTERED', setup_porting: true }),
      ['Number Transfer Details', 'Prepay Plan Details', 'Payment Details'],
      1,
    ],
  ])(
    'the step bar on the page %s omits Personal Details for a signed-in customer',
    async (step, now, names, current) => {
      await open(step, now, signedIn)
      await screen.findByRole('button', { name: 'CONTINUE' })
      const bar = within(screen.getByRole('navigation', { name: 'Progress' })).getAllByRole('listitem')
      expect(bar.map(({ textContent }) => textContent)).toEqual(names)
      expect(bar.findIndex((item) => item.getAttribute('aria-current') === 'step')).toBe(current)
    },
  )

  test('the payment method page shows a signed-in customer their name and email address', async () => {
    await open(
      'method',
      activationView({ state: 'DETAILS_ENTERED', full_name: 'Mere Tane', email: 'mere@example.nz' }),
      signedIn,
    )
    await screen.findByRole('button', { name: 'CONTINUE' })
    const known = within(screen.getByRole('complementary'))
    expect([known.getByText('Mere Tane'), known.getByText('mere@example.nz')]).toHaveLength(2)
  })
})

describe('the BACK button in the activation wizard', () => {
  const porting = { setup_porting: true } as const
  test.each<[string, Step, Partial<Activation>, Step, object?]>([
    ['from the number transfer to the SIM pack', 'porting', { state: 'PORTING_ENTERED', ...porting }, 'sim'],
    ['from the details to the SIM pack', 'signup', { state: 'CREATED' }, 'sim'],
    ['from the details to the number transfer', 'signup', { state: 'CREATED', ...porting }, 'porting'],
    ['from the method to the details', 'method', { state: 'DETAILS_ENTERED' }, 'signup'],
    [
      'from the method to the details during a number transfer',
      'method',
      { state: 'DETAILS_ENTERED', ...porting },
      'signup',
    ],
    ['past the details of a signed-in customer', 'method', { state: 'DETAILS_ENTERED' }, 'sim', signedIn],
    [
      'past the details of a signed-in customer during a number transfer',
      'method',
      { state: 'DETAILS_ENTERED', ...porting },
      'porting',
      signedIn,
    ],
  ])('pressing BACK leads %s without sending a request', async (_, from, now, to, replies = {}) => {
    const api = await open(from, activationView(now), replies)
    await screen.findByRole('button', { name: 'BACK' })
    const before = api.calls.length
    await back()
    await heading(titles[to])
    expect(location.pathname).toBe(to === 'sim' ? '/activate/' : `/activate/${to}/`)
    expect(api.calls.length).toBe(before)
  })

  test('when BACK leads to the SIM step, the phone number and transfer choice are filled in, but not the last 4 digits', async () => {
    await open('signup', activationView())
    await screen.findByRole('button', { name: 'BACK' })
    await back()
    await heading(titles.sim)
    expect(box('Phone Number on the SIM pack').value).toBe('021 505 0103')
    expect(box('Last 4 digits of the SIM Number').value).toBe('')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^No, use/ }).checked).toBe(true)
  })

  test('pressing CONTINUE after BACK submits the step again', async () => {
    const api = await open(
      'method',
      activationView({ state: 'DETAILS_ENTERED', full_name: 'Ana Rewi', email: 'ana@example.nz' }),
      {
        'POST /api/activate/signup/': activationView({ state: 'DETAILS_ENTERED' }),
      },
    )
    await screen.findByRole('button', { name: 'BACK' })
    await back()
    await heading(titles.signup)
    await user.type(screen.getByLabelText('New password'), 'korimako1')
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'CONTINUE' }))
    await heading(titles.method)
    expect(api.calls.at(-1)).toMatchObject({ at: 'POST /api/activate/signup/', body: { full_name: 'Ana Rewi' } })
  })
})

describe("the browser's Back and Forward buttons in the activation wizard", () => {
  const go = (how: 'back' | 'forward') => act(async () => history[how]())
  const calls = (api: FakeApi) => api.calls.filter(({ at }) => at.startsWith('POST')).map(({ at }) => at)
  const details = { full_name: 'Ana Rewi', email: 'ana@example.nz' }
  const code = '577BD10E8FA7'

  async function walk(at = '/activate/') {
    history.pushState(null, '', '/')
    history.pushState(null, '', '/')
    const api = createFakeApi({
      'GET /api/activate/': noActivationError,
      'GET /api/account/': { authenticated: false, user: null },
      'POST /api/activate/sim/': activationView(),
      'POST /api/activate/signup/': activationView({ state: 'DETAILS_ENTERED', ...details }),
      [`GET /api/vouchers/${code}/`]: { code, product: testProduct },
    })
    await openPortal(activationPages, at, api)
    await user.type(await screen.findByRole('textbox', { name: 'Phone Number on the SIM pack' }), '021 505 0103')
    await user.type(box('Last 4 digits of the SIM Number'), '1113')
    await user.click(screen.getByRole('radio', { name: /^No, use/ }))
    await user.click(screen.getByRole('button', { name: 'START' }))
    await heading(titles.signup)
    await user.type(box('Full name'), 'Ana Rewi')
    await user.type(box('Email'), 'ana@example.nz')
    await user.type(screen.getByLabelText('New password'), 'korimako1')
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'CONTINUE' }))
    await heading(titles.method)
    return api
  }

  async function expectSteps(api: FakeApi) {
    await go('back')
    await heading(titles.signup)
    expect([box('Full name').value, box('Email').value]).toEqual(['Ana Rewi', 'ana@example.nz'])
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
    await go('back')
    await screen.findByRole('button', { name: 'START' })
    expect(box('Phone Number on the SIM pack').value).toBe('021 505 0103')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^No, use/ }).checked).toBe(true)
    await go('forward')
    await heading(titles.signup)
    await go('forward')
    await heading(titles.method)
    expect(calls(api)).toEqual(['POST /api/activate/sim/', 'POST /api/activate/signup/'])
  }

  test("the browser's Back and Forward buttons show each step with what was entered, and submit no step again", async () => {
    await expectSteps(await walk())
  })

  test("the browser's Back and Forward buttons also work in a customer's next activation", async () => {
    await expectSteps(await walk('/activate/new/'))
  })

  test("the wizard's BACK button goes back in the browser's history instead of adding entries to it", async () => {
    await walk()
    const entries = history.length
    await back()
    await heading(titles.signup)
    await back()
    await heading(titles.sim)
    await go('forward')
    await heading(titles.signup)
    await go('forward')
    await heading(titles.method)
    expect(history.length).toBe(entries)
  })

  test("submitting a step again after pressing the browser's Back button leads to the next step", async () => {
    const api = await walk()
    await go('back')
    await heading(titles.signup)
    await user.type(screen.getByLabelText('New password'), 'korimako1')
    await user.click(screen.getByRole('button', { name: 'CONTINUE' }))
    await heading(titles.method)
    expect(calls(api)).toHaveLength(3)
  })

  test("the browser's Forward button opens the current step instead of a step that does not belong to the activation", async () => {
    const api = await walk()
    await go('back')
    await heading(titles.signup)
    api.replies['POST /api/activate/sim/'] = activationView({ state: 'DETAILS_ENTERED', ...details })
    await go('back')
    await user.type(await screen.findByRole('textbox', { name: 'Last 4 digits of the SIM Number' }), '1113')
    await user.click(screen.getByRole('button', { name: 'START' }))
    await heading(titles.method)
    act(() => history.pushState(null, '', '/activate/porting/'))
    await go('back')
    await go('forward')
    await expect.poll(() => location.pathname).toBe('/activate/method/')
    await heading(titles.method)
  })

  test("the browser's Back button does not leave the page of a pending payment", async () => {
    const api = await walk()
    Object.assign(api.replies, {
      'POST /api/activate/method/': activationView({
        state: 'PAYMENT',
        ...details,
        method: 'voucher',
        using_voucher: true,
        product: testProduct,
      }),
      'POST /api/activate/pay/': withStatus(202, { order_code: 'FT1', retry: true }),
      'POST /api/orders/FT1/resume/': new Promise<never>(() => {}),
    })
    await user.click(screen.getByRole('radio', { name: 'I have an email with a Voucher Code' }))
    await user.type(box('Voucher Code'), code)
    await screen.findByText(testProduct.title)
    await user.click(screen.getByRole('button', { name: 'CONTINUE' }))
    await user.click(await screen.findByRole('button', { name: 'ACTIVATE' }))
    await screen.findByRole('heading', { name: /confirming your payment/ })
    const sent = calls(api)
    await go('back')
    await expect.poll(() => location.pathname).toBe('/activate/checkout/')
    await screen.findByRole('heading', { name: /confirming your payment/ })
    expect(calls(api).filter((at) => !at.includes('resume'))).toEqual(sent.filter((at) => !at.includes('resume')))
  })
})

test('a response that arrives after the visitor has left the wizard does not cause a navigation', async () => {
  const answer = Promise.withResolvers<Activation>()
  const api = createFakeApi({
    'GET /api/activate/': activationView(),
    'GET /api/account/': { authenticated: false, user: null },
    'POST /api/activate/signup/': answer.promise,
  })
  const elsewhere: PageEntry = {
    path: '/help/',
    title: 'Help',
    component: async () => ({ default: () => <h1>Help</h1> }),
  }
  await openPortal([...activationPages, elsewhere], '/activate/signup/', api)
  await user.type(await screen.findByRole('textbox', { name: 'Full name' }), 'Ana Rewi')
  await user.type(box('Email'), 'ana@example.nz')
  await user.type(screen.getByLabelText('New password'), 'korimako1')
  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'CONTINUE' }))
  act(() => navigate('/help/'))
  await heading('Help')
  await act(async () => answer.resolve(activationView({ state: 'DETAILS_ENTERED' })))
  expect(location.pathname).toBe('/help/')
})

describe('wizard steps that the server rejects with a 409', () => {
  const conflict = new ApiError(409, { __all__: ['Your activation has moved on.'] })

  async function submit(now: Activation | ApiError) {
    const api = await open('method', activationView({ state: 'DETAILS_ENTERED' }), {
      'POST /api/activate/method/': conflict,
    })
    await user.click(await screen.findByRole('radio', { name: 'Buy a Prepay Plan now' }))
    api.replies['GET /api/activate/'] = now
    await user.click(screen.getByRole('button', { name: 'CONTINUE' }))
  }

  test('after a 409, opens the current step of the activation without a message', async () => {
    await submit(activationView({ state: 'CREATED' }))
    await heading(titles.signup)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('submitting a step opens the SIM step if the activation no longer exists', async () => {
    await submit(noActivationError)
    expect(await heading(titles.sim)).toBeTruthy()
  })

  test('after a 409, stays on the step and keeps what was entered if the activation is still at that step', async () => {
    await submit(activationView({ state: 'DETAILS_ENTERED' }))
    await expect.poll(() => screen.getByRole<HTMLButtonElement>('button', { name: 'CONTINUE' }).disabled).toBe(false)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Buy a Prepay Plan now' }).checked).toBe(true)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('shows the error screen if the current activation cannot be loaded', async () => {
    await submit(new ApiError(500, undefined))
    expect(await heading('Something Went Wrong')).toBeTruthy()
  })
})

test.each<Step>(['sim', 'porting', 'signup', 'method'])(
  'the page %s shows an error if the activation cannot be loaded, and Try Again reloads the page',
  async (step) => {
    const reload = vi.spyOn(location, 'reload').mockReturnValue()
    const api = await open(step, new ApiError(500, undefined))
    await heading('Something Went Wrong')
    screen.getByText("Unfortunately, something didn't go as planned.")
    expect(api.calls.filter(({ at }) => at === 'GET /api/activate/')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(reload).toHaveBeenCalledOnce()
  },
)

test('shows a loading indicator while the activation is loading', async () => {
  const state = Promise.withResolvers<Activation>()
  const api = createFakeApi({ 'GET /api/activate/': state.promise })
  await openPortal(activationPages, '/activate/signup/', api)
  expect(within(screen.getByRole('main')).getByRole('status').textContent).toBe('Loading')
  expect(screen.queryByRole('textbox')).toBeNull()
  state.resolve(activationView({ full_name: 'Ana Rewi' }))
  await screen.findByRole('textbox', { name: 'Full name' })
  expect(box('Full name').value).toBe('Ana Rewi')
})
