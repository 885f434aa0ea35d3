import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { portingMessages } from '#features/porting/porting.contract.ts'
import { saveVoucher } from '#features/vouchers/web/saved-voucher.ts'
import { activationView, noActivationError, testProduct } from '#quality/support/activation-view.ts'
import {
  australianBootstrap,
  getFieldError,
  createFakeApi,
  openPortal,
  testBootstrap,
} from '#quality/support/open-portal.tsx'
import { simStepMessages } from '../sim-step.contract.ts'
import { activationPages } from './activation.pages.ts'

const user = userEvent.setup()
const number = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Phone Number on the SIM pack' })
const serial = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Last 4 digits of the SIM Number' })
const choice = () => screen.getByRole('radiogroup')
const start = () => screen.getByRole<HTMLButtonElement>('button', { name: 'START' })
const bring = () => screen.getByRole<HTMLInputElement>('radio', { name: 'Yes, Transfer (Port) Existing Number' })
const stay = () => screen.getByRole<HTMLInputElement>('radio', { name: 'No, use the Phone Number on the SIM pack' })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

async function open(path = '/activate/', replies = {}, bootstrap = testBootstrap) {
  const api = createFakeApi({ 'GET /api/activate/': noActivationError, ...replies })
  await openPortal(activationPages, path, api, bootstrap)
  await screen.findByRole('button', { name: 'START' })
  return api
}

async function fillIn() {
  await user.type(number(), '021 505 0103')
  await user.type(serial(), '1113')
  await user.click(stay())
}

const sent = {
  at: 'POST /api/activate/sim/',
  body: { msisdn: '021 505 0103', sim_serial: '1113', setup_porting: false },
}

beforeEach(() => sessionStorage.clear())

test('sends nothing until every question in the SIM step has been answered', async () => {
  const api = await open()
  await user.click(start())
  expect(getFieldError(number())).toBe('This field is required.')
  expect(getFieldError(serial())).toBe(simStepMessages.serial)
  expect(getFieldError(choice())).toBe(portingMessages.choice)
  await expect.poll(() => document.activeElement).toBe(number())
  expect(start().disabled).toBe(true)
  await fillIn()
  expect([getFieldError(number()), getFieldError(serial()), getFieldError(choice())]).toEqual([null, null, null])
  expect(api.calls.map(({ at }) => at)).toEqual(['GET /api/activate/'])
})

test.each([
  ['04 472 1234', simStepMessages.invalid],
  ['026 123 4567', simStepMessages.invalid],
  ['021 505', simStepMessages.invalid],
  ['+1 415 555 2671', simStepMessages.region.NZ],
  ['+44 7911 123456', simStepMessages.region.NZ],
  ['+61 491 570 156', null],
  // In New Zealand, an Australian number is only valid with its country code.
  ['0491 570 156', simStepMessages.invalid],
  ['(021) 505-0103', null],
])('leaving %s in the SIM pack number field shows the message %s', async (typed, message) => {
  await open()
  await user.type(number(), typed)
  await user.tab()
  expect(getFieldError(number())).toBe(message)
  await user.type(number(), '0')
  expect(getFieldError(number())).toBeNull()
})

test.each([
  ['0491 570 156', null],
  ['+61 491 570 156', null],
  ['+64 21 505 0103', null],
  ['02 9374 4000', simStepMessages.invalid],
  ['021 505 0103', simStepMessages.invalid],
  ['+1 415 555 2671', simStepMessages.region.AU],
])('in Australia, entering %s as the SIM pack number shows the message %s', async (typed, message) => {
  await open('/activate/', {}, australianBootstrap)
  await user.type(number(), typed)
  await user.tab()
  expect(getFieldError(number())).toBe(message)
})

test("the drawing of a SIM pack shows a phone number and a SIM number from the portal's country", async () => {
  await open()
  expect(document.body.textContent).toMatch(/021 555 0142.*89 64 0500/)
  cleanup()
  await open('/activate/', {}, australianBootstrap)
  expect(document.body.textContent).toMatch(/0491 570 156.*89 61 0500/)
  expect(document.body.textContent).not.toMatch(/\b021|89 64/)
})

test.each(['1', '123'])('rejects %s as the last 4 digits of the SIM number', async (typed) => {
  await open()
  await user.type(serial(), typed)
  await user.tab()
  expect(getFieldError(serial())).toBe(simStepMessages.serial)
})

test('the fields in the SIM step accept only characters that phone and SIM numbers can contain', async () => {
  await open()
  await user.type(number(), 'tel: +64 (21) 505-0103 x')
  expect(number().value).toBe(' +64 (21) 505-0103 ')
  await user.type(serial(), 'a1 11345')
  expect(serial().value).toBe('1113')
})

test("pressing START sends the SIM pack's details and opens the page for the activation state that the server returns", async () => {
  const api = await open('/activate/', { 'POST /api/activate/sim/': activationView({ state: 'CREATED' }) })
  await fillIn()
  await user.click(start())
  await heading('Your Personal Details')
  expect(location.pathname).toBe('/activate/signup/')
  expect(api.calls.at(-1)).toMatchObject(sent)
  expect(sessionStorage.length).toBe(0)
})

test('opens the number transfer page if the visitor wants to keep their number', async () => {
  const api = await open('/activate/', {
    'POST /api/activate/sim/': activationView({ state: 'PORTING_ENTERED', setup_porting: true }),
  })
  await fillIn()
  await user.click(bring())
  await user.click(start())
  await heading('Number Transfer Details')
  expect(api.calls.at(-1)?.body).toMatchObject({ setup_porting: true })
})

test('shows why the SIM step was rejected, and lets the visitor submit the same answers again', async () => {
  const refusal = new ApiError(400, { __all__: ['We couldn’t find an unused SIM.'] })
  const api = await open('/activate/', { 'POST /api/activate/sim/': refusal })
  await fillIn()
  await user.click(start())
  expect((await screen.findByRole('alert')).textContent).toBe('We couldn’t find an unused SIM.')
  await user.click(start())
  expect(api.calls).toHaveLength(3)
})

test('a reload keeps what was typed into the SIM step', async () => {
  await open()
  await fillIn()
  cleanup()
  await open()
  expect([number().value, serial().value, stay().checked]).toEqual(['021 505 0103', '1113', true])
})

test('the SIM step has a link to order a new SIM', async () => {
  await open()
  expect(screen.getByRole('link', { name: 'Order a new SIM' }).getAttribute('href')).toBe(
    'https://fantail.example/order',
  )
})

test('redirects a visitor who has already started an activation to its current step', async () => {
  await openPortal(
    activationPages,
    '/activate/',
    createFakeApi({ 'GET /api/activate/': activationView({ state: 'CREATED' }) }),
  )
  expect(await heading('Your Personal Details')).toBeTruthy()
})

test('the page /activate/new/ does not load the current activation, and pressing START begins a new one', async () => {
  const api = await open('/activate/new/', {
    'GET /api/activate/': activationView({ state: 'DETAILS_ENTERED' }),
    'POST /api/activate/sim/': activationView({ state: 'CREATED' }),
  })
  await heading('Activate a new SIM')
  await fillIn()
  expect(location.pathname).toBe('/activate/new/')
  expect(api.calls).toEqual([])
  await user.click(start())
  await heading('Your Personal Details')
  expect(api.calls).toMatchObject([sent])
})

test('pressing START on the page /activate/new/ opens the current activation if the server answers 409', async () => {
  await open('/activate/new/', {
    'GET /api/activate/': activationView({ state: 'CREATED' }),
    'POST /api/activate/sim/': new ApiError(409, {}),
  })
  await fillIn()
  await user.click(start())
  expect(await heading('Your Personal Details')).toBeTruthy()
})

test('the SIM step shows the plan of a saved voucher', async () => {
  saveVoucher('577BD10E8FA7')
  const api = await open('/activate/', {
    'GET /api/vouchers/577BD10E8FA7/': { code: '577BD10E8FA7', product: testProduct },
  })
  const plan = await screen.findByRole('region', { name: 'Prepay Plan of your voucher' })
  expect(plan.textContent).toContain('25 GB Prepay Plan')
  expect(plan.textContent).toContain('90 days, 25 GB every 30 days (75 GB in all)')
  expect(api.calls.at(-1)).toMatchObject({ query: { event_type: 'ACTIVATION' } })
})

test('deletes a saved voucher code once the voucher has been used', async () => {
  saveVoucher('577BD10E8FA7')
  const refusal = new ApiError(412, { type: 'This voucher has already been used.' })
  await open('/activate/', { 'GET /api/vouchers/577BD10E8FA7/': refusal })
  await expect.poll(() => sessionStorage.length).toBe(0)
  expect(screen.queryByRole('region', { name: 'Prepay Plan of your voucher' })).toBeNull()
})
