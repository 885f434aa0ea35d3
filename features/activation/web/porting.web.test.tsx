import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { portingMessages } from '#features/porting/porting.contract.ts'
import { activationView } from '#quality/support/activation-view.ts'
import {
  australianBootstrap,
  getFieldError,
  createFakeApi,
  openPortal,
  testBootstrap,
} from '#quality/support/open-portal.tsx'
import { activationPages } from './activation.pages.ts'

const user = userEvent.setup()
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const number = () => box('Phone Number you want to bring')
const provider = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Current provider' })
const billing = () => screen.getByRole('radiogroup')
const prepay = () => screen.getByRole<HTMLInputElement>('radio', { name: 'Prepay' })
const account = () => screen.getByRole<HTMLInputElement>('radio', { name: 'Account' })
const simNumber = () => box('Existing Prepay SIM Number')
const accountNumber = () => box('Existing Account Number')
const proceed = () => screen.getByRole<HTMLButtonElement>('button', { name: 'CONTINUE' })
const help = (name: string) => screen.getByText(name).closest('details')!
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

const porting = activationView({ state: 'PORTING_ENTERED', setup_porting: true })
const port = 'POST /api/activate/port/'

async function open(replies = {}, bootstrap = testBootstrap) {
  const api = createFakeApi({ 'GET /api/activate/': porting, ...replies })
  await openPortal(activationPages, '/activate/porting/', api, bootstrap)
  await screen.findByRole('combobox')
  return api
}

async function fillIn() {
  await user.type(number(), '027 555 0111')
  await user.selectOptions(provider(), 'Skinny')
}

const onScreen = (wide: boolean) => vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: wide } as MediaQueryList)

beforeEach(() => sessionStorage.clear())

test('sends nothing until every question about the number transfer has been answered', async () => {
  const api = await open()
  await user.click(proceed())
  expect(getFieldError(number())).toBe('This field is required.')
  expect(getFieldError(provider())).toBe('This field is required.')
  expect(getFieldError(billing())).toBe(portingMessages.billingMethod)
  expect(proceed().disabled).toBe(true)
  expect(api.calls.map(({ at }) => at)).toEqual(['GET /api/activate/'])
})

test.each(['04 472 1234', '021 12', '+1 415 555 2671'])('rejects %s as the number being transferred', async (typed) => {
  await open()
  await user.type(number(), typed)
  await user.tab()
  expect(getFieldError(number())).toBe(portingMessages.number)
})

test('in New Zealand, rejects an Australian mobile number without its country code', async () => {
  await open()
  await user.type(number(), '0491 570 156')
  await user.tab()
  expect(getFieldError(number())).toBe(portingMessages.number)
})

test.each([
  ['0491 570 156', null],
  ['+61 491 570 156', null],
  // This Sydney landline would be valid as a New Zealand mobile number.
  ['02 9374 4000', portingMessages.number],
  ['+64 27 555 0111', portingMessages.number],
])('in Australia, entering %s as the number being transferred shows the message %s', async (typed, message) => {
  await open({}, australianBootstrap)
  await user.type(number(), typed)
  await user.tab()
  expect(getFieldError(number())).toBe(message)
})

test('in Australia, the hint and the drawing of a SIM show how an Australian SIM number begins', async () => {
  await open({}, australianBootstrap)
  await user.click(prepay())
  expect(
    screen.getByText('On your old SIM, or in your phone’s settings for an eSIM: 16 to 20 digits, starts with 89 or 61'),
  ).toBeTruthy()
  expect(help('Find your SIM Number').textContent).toContain('8961 0500')
  expect(help('Find your SIM Number').textContent).toContain('It has 16 to 20 digits and starts with 89 or 61')
})

test('the field for the number being transferred accepts only digits, plus signs, spaces, parentheses and hyphens', async () => {
  await open()
  await user.click(number())
  await user.paste('tel.+64 (27) 555-0111#')
  expect(number().value).toBe('+64 (27) 555-0111')
})

test("transferring a prepay number requires the old SIM card's number, which has 16 to 20 digits", async () => {
  await open()
  await fillIn()
  await user.click(prepay())
  await user.click(proceed())
  expect(getFieldError(simNumber())).toBe(portingMessages.sim)
  await user.type(simNumber(), '8964 0500 0001 234x')
  expect(simNumber().value).toBe('896405000001234')
  await user.tab()
  expect(getFieldError(simNumber())).toBe(portingMessages.simLength)
  await user.type(simNumber(), '5')
  expect(getFieldError(simNumber())).toBeNull()
  await user.type(simNumber(), '67890')
  expect(simNumber().value).toBe('89640500000123456789')
  expect(screen.queryByRole('textbox', { name: 'Existing Account Number' })).toBeNull()
})

test('transferring a number that is billed to an account requires an account number of up to 20 letters and digits', async () => {
  await open()
  await fillIn()
  await user.click(account())
  await user.click(proceed())
  expect(getFieldError(accountNumber())).toBe(portingMessages.account)
  await user.type(accountNumber(), 'AC-12 34/x5678901234567890')
  expect(accountNumber().value).toBe('AC1234x5678901234567')
  expect(getFieldError(accountNumber())).toBeNull()
  expect(screen.queryByRole('textbox', { name: 'Existing Prepay SIM Number' })).toBeNull()
})

test('after the customer switches from prepay to account billing, an error in the SIM number no longer blocks the form', async () => {
  await open()
  await fillIn()
  await user.click(prepay())
  await user.click(proceed())
  await user.click(account())
  expect(proceed().disabled).toBe(false)
})

test('after a switch from prepay to account billing, sends the account number and an empty SIM number', async () => {
  const api = await open({ [port]: activationView({ state: 'CREATED', setup_porting: true }) })
  await fillIn()
  await user.click(prepay())
  await user.type(simNumber(), '8964050000012345')
  await user.click(account())
  await user.type(accountNumber(), 'AC1')
  await user.click(proceed())
  await heading('Your Personal Details')
  expect(api.calls.at(-1)).toMatchObject({
    at: port,
    body: {
      msisdn: '027 555 0111',
      provider: 'skinny',
      billing_method: 'account',
      prepaid_sim_number: '',
      account_number: 'AC1',
    },
  })
})

test('shows a server error about the number transfer next to the field concerned', async () => {
  await open({ [port]: new ApiError(400, { msisdn: [portingMessages.ownNumber] }) })
  await fillIn()
  await user.click(account())
  await user.type(accountNumber(), 'AC1')
  await user.click(proceed())
  await expect.poll(() => getFieldError(number())).toBe(portingMessages.ownNumber)
})

test('fills in the answers given earlier about the number transfer', async () => {
  const porting_request = {
    msisdn: '027 555 0111',
    provider: 'spark',
    billing_method: 1,
    prepaid_sim_number: '8964050000012345',
    account_number: '',
  } as const
  await open({ 'GET /api/activate/': { ...porting, porting_request } })
  expect([number().value, provider().value, simNumber().value]).toEqual(['027 555 0111', 'spark', '8964050000012345'])
  expect(prepay().checked).toBe(true)
})

test('a reload keeps what was typed into the number transfer form', async () => {
  await open()
  await fillIn()
  await user.click(account())
  await user.type(accountNumber(), 'AC1')
  cleanup()
  await open()
  expect([number().value, provider().value, accountNumber().value]).toEqual(['027 555 0111', 'skinny', 'AC1'])
})

test('on a desktop, help with the SIM number opens automatically for prepay and is hidden for account billing', async () => {
  onScreen(true)
  await open()
  expect(help('Find your SIM Number').open).toBe(false)
  await user.click(prepay())
  expect(help('Find your SIM Number').open).toBe(true)
  expect(help('Find your SIM Number').textContent).toContain('It has 16 to 20 digits and starts with 89 or 64')
  await user.click(account())
  expect(screen.queryByText('Find your SIM Number')).toBeNull()
  expect(help('Find your Account Number').textContent).toContain('bill')
})

test('help with the SIM number says where an iPhone and an Android phone show the number of an eSIM', async () => {
  await open()
  await user.click(prepay())
  const places = within(help('Find your SIM Number')).getAllByRole('listitem', { hidden: true })
  expect(places.map(({ textContent }) => textContent)).toEqual([
    'iPhone: Settings, General, About',
    'Android: Settings, About phone, SIM status',
  ])
})

test('on a phone, help with the SIM number stays closed', async () => {
  onScreen(false)
  await open()
  await user.click(prepay())
  expect(help('Find your SIM Number').open).toBe(false)
})

test('explains how a number transfer works', async () => {
  await open()
  const steps = help('How the transfer works').textContent
  expect(steps).toMatch(
    /Keep your old SIM.*short code.*Reply ‘Yes’.*within 2 hours.*insert your new SIM.*4 hours in business hours/,
  )
})
