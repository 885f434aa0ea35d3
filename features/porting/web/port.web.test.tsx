import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { anonymous, aTransfer, signedIn, twoServices } from '#quality/support/account.ts'
import { errorOf, fakeApi, openPortal, type Reply } from '#quality/support/portal.tsx'
import { portingMessages } from '../porting.contract.ts'
import { dashboardPages } from '#features/dashboard/web/dashboard.pages.ts'
import { type LastPort, portServiceMessages } from '../port-service.contract.ts'
import { portingPages } from './porting.pages.ts'

const user = userEvent.setup()
const uuid = 'uuid-+64215550142'
const home = `/services/${uuid}/`
const path = `${home}port/`
const read = `GET /api/services/port/${encodeURIComponent(uuid)}/`
const post = `POST /api/services/port/${encodeURIComponent(uuid)}/`
const title = 'Request Number Transfer'
const submitted = 'Number Transfer Request Submitted'

const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const number = () => box('Phone Number you want to bring')
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Port Number' })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const main = () => within(screen.getByRole('main'))

const withPort = (porting_request: Partial<PortingRequestView>) => ({
  ...twoServices,
  [uuid]: {
    ...twoServices[uuid]!,
    porting_request: aTransfer(porting_request),
  },
})

async function open(replies: Record<string, Reply> = {}, at = path) {
  const api = fakeApi({
    'GET /api/account/': signedIn(),
    'GET /api/services/': twoServices,
    'GET /api/account/porting_providers/': {
      providers: [
        { id: 'skinny', name: 'Skinny' },
        { id: 'spark', name: 'Spark' },
      ],
      looked_at_from: null,
    },
    [read]: null,
    'GET /api/services/port/uuid-%2B64215550199/': null,
    ...replies,
  })
  await openPortal(portingPages, at, api)
  return api
}

async function fillIn() {
  await user.type(number(), '027 555 0111')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Current provider' }), 'Skinny')
  await user.click(screen.getByRole('radio', { name: 'Account' }))
  await user.type(box('Existing Account Number'), 'AC1')
}

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.restoreAllMocks())

test('asks for the number to bring, beside the way back to the service', async () => {
  await open()
  await heading(title)
  expect(
    within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
      .getByRole('link', { name: '021 555 0142' })
      .getAttribute('href'),
  ).toBe(home)
  expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe(home)
  expect(button().disabled).toBe(false)
  expect(screen.getByText('How the transfer works')).toBeTruthy()
})

test('who sends it when providers are closed is told from when on it is looked at', async () => {
  await open({
    'GET /api/account/porting_providers/': {
      providers: [{ id: 'skinny', name: 'Skinny' }],
      looked_at_from: '2026-11-23T19:00:00Z',
    },
  })
  expect((await screen.findByText('Providers are closed now')).parentElement?.textContent).toContain(
    'it is looked at from 8 am on Tue 24 Nov.',
  )
})

test('nothing is sent before everything has been answered', async () => {
  const api = await open()
  await heading(title)
  await user.click(button())
  expect(errorOf(number())).toBe('This field is required.')
  expect(errorOf(screen.getByRole('radiogroup'))).toBe(portingMessages.billingMethod)
  expect(api.calls.some(({ at }) => at === post)).toBe(false)
})

test('sends the request, and the services are asked for again', async () => {
  const api = await open({ [post]: { status: 1 } })
  await heading(title)
  await fillIn()
  api.replies['GET /api/services/'] = withPort({})
  await user.click(button())
  await heading(submitted)
  expect(location.pathname).toBe(`${path}success/`)
  expect(api.calls.find(({ at }) => at === post)?.body).toEqual({
    msisdn: '027 555 0111',
    provider: 'skinny',
    billing_method: 'account',
    prepaid_sim_number: '',
    account_number: 'AC1',
  })
  await expect.poll(() => api.calls.filter(({ at }) => at === 'GET /api/services/').length).toBeGreaterThan(1)
  expect(
    screen.getByText('You will receive an email confirmation upon success of your Number Transfer Request.'),
  ).toBeTruthy()
  expect(main().getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/')
})

describe('the page that says that it was submitted', () => {
  const pages = [...portingPages, ...dashboardPages]
  const success = `${path}success/`
  const openSuccess = (services: Reply) =>
    openPortal(pages, success, fakeApi({ 'GET /api/account/': signedIn(), 'GET /api/services/': services }))

  test.each([1, 2] as const)('shows while the transfer is under way (%i), whoever comes how', async (status) => {
    await openSuccess(withPort({ status }))
    await heading(submitted)
    expect(location.pathname).toBe(success)
  })

  test.each([
    ['none was asked for', twoServices],
    ['it is through', withPort({ status: 3 })],
    ['it has failed', withPort({ status: 4 })],
  ])('leads to the dashboard where %s', async (_, services) => {
    await openSuccess(services)
    await expect.poll(() => location.pathname).toBe('/')
    expect(screen.queryByText(submitted)).toBeNull()
  })

  test('says so, and no more, where the services do not load', async () => {
    const api = fakeApi({ 'GET /api/account/': signedIn(), 'GET /api/services/': new ApiError(500, {}) })
    await openPortal(pages, success, api)
    await screen.findByText('Your services can’t be loaded right now.')
    expect(screen.queryByText(submitted)).toBeNull()
    api.replies['GET /api/services/'] = withPort({})
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await heading(submitted)
  })
})

test('what was typed for one service is not there for another, nor after it was sent', async () => {
  await open({ [post]: { status: 1 } })
  await heading(title)
  await fillIn()
  cleanup()
  await open({}, '/services/uuid-+64275550199/port/')
  await heading(title)
  expect(number().value).toBe('')
  cleanup()
  await open({ [post]: { status: 1 } })
  await heading(title)
  expect(number().value).toBe('027 555 0111')
  await user.click(button())
  await heading(submitted)
  cleanup()
  await open()
  await heading(title)
  expect(number().value).toBe('')
})

test('is sent once, and says meanwhile that it is', async () => {
  const answer = Promise.withResolvers<object>()
  const api = await open({ [post]: answer.promise })
  await heading(title)
  await fillIn()
  await user.click(button())
  const busy = screen.getByRole<HTMLButtonElement>('button', { name: 'SENDING', busy: true })
  await user.click(busy)
  answer.resolve({ status: 1 })
  await heading(submitted)
  expect(api.calls.filter(({ at }) => at === post)).toHaveLength(1)
})

test('what the server has against a field stands at the field', async () => {
  await open({ [post]: new ApiError(400, { msisdn: [portingMessages.ownNumber] }) })
  await heading(title)
  await fillIn()
  await user.click(button())
  await expect.poll(() => errorOf(number())).toBe(portingMessages.ownNumber)
})

test.each<[string, ApiError, string]>([
  [
    'a transfer that another of the household has just asked for',
    new ApiError(400, { __all__: [portServiceMessages.underWay] }),
    portServiceMessages.underWay,
  ],
  ['too many requests', new ApiError(429, {}), 'Too many requests. Please try again shortly.'],
  ['no answer', new ApiError(0, undefined), 'Sorry, there was an unexpected error. Please refresh and try again.'],
])('%s is told above the form', async (_, failure, sentence) => {
  await open({ [post]: failure })
  await heading(title)
  await fillIn()
  await user.click(button())
  expect((await screen.findByRole('alert')).textContent).toContain(sentence)
  expect(number().value).toBe('027 555 0111')
})

test('help with the SIM number opens by itself on a desktop for prepay, and is gone for account', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  await open()
  await heading(title)
  await user.click(screen.getByRole('radio', { name: 'Prepay' }))
  expect(screen.getByText('Find your SIM Number').closest('details')?.open).toBe(true)
  await user.click(screen.getByRole('radio', { name: 'Account' }))
  expect(screen.queryByText('Find your SIM Number')).toBeNull()
})

describe('a transfer that was asked for before', () => {
  test.each([1, 2] as const)('and is under way (status %i) stands in place of the form', async (status) => {
    await open({ 'GET /api/services/': withPort({ status }) })
    await heading('Bringing 027 555 0111 to Fantail')
    expect(main().getByText('From Spark, prepay')).toBeTruthy()
    expect(main().getByRole('link', { name: '021 555 0142' }).getAttribute('href')).toBe(home)
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  test('and went through, too', async () => {
    await open({ 'GET /api/services/': withPort({ status: 3 }) })
    await heading(title)
    expect(screen.getByText(portServiceMessages.done)).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  test('and failed may be tried again', async () => {
    await open({ 'GET /api/services/': withPort({ status: 4 }) })
    await heading('027 555 0111 didn’t move')
    expect(number().value).toBe('')
  })
})

test('a service that is not theirs is no page', async () => {
  await open({}, '/services/11111111-1111-4111-8111-111111111111/port/')
  await heading('Unfortunately we could not find what you were looking for')
  await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('a visitor who is not signed in logs in first', async () => {
  await open({ 'GET /api/account/': anonymous })
  await expect.poll(() => location.pathname + location.search).toBe(`/login/?next=${encodeURIComponent(path)}`)
})

test('without the list of services the form can still be sent', async () => {
  await open({ 'GET /api/services/': new ApiError(500, undefined), [post]: { status: 1 } })
  await heading(title)
  expect(screen.getByRole('link', { name: 'Back to your service' })).toBeTruthy()
  await fillIn()
  await user.click(button())
  await heading(submitted)
})

test('without the providers a quiet line says so, and asks for them again; what was typed stays', async () => {
  const providers = 'GET /api/account/porting_providers/'
  const api = await open({ [providers]: new ApiError(500, undefined) })
  await heading(title)
  const list = screen.getByRole('combobox', { name: 'Current provider' })
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Choose one'])
  expect(document.getElementById(list.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Our list of providers didn’t load.Try Again',
  )
  expect(screen.queryByRole('alert')).toBeNull()
  await user.type(number(), '027 555 0111')
  const answer = Promise.withResolvers<object>()
  api.replies[providers] = answer.promise
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await expect.poll(() => document.activeElement).toBe(list)
  await screen.findByText('Loading the providers…')
  answer.resolve({ providers: [{ id: 'skinny', name: 'Skinny' }], looked_at_from: null })
  await screen.findByRole('option', { name: 'Skinny' })
  expect([number().value, screen.queryByText('Loading the providers…')]).toEqual(['027 555 0111', null])
})

describe('after a transfer that failed', () => {
  const sent: LastPort = {
    msisdn: '027 555 0111',
    provider: 'spark',
    billing_method: 1,
    prepaid_sim_number: '8964050123456789012',
    account_number: '',
  }
  const sim = () => box('Existing Prepay SIM Number')
  const banner = () => main().getByText(/works on your SIM/).parentElement?.textContent
  const fail = (reason: PortingRequestView['reason'], reason_text = '', last: Reply = sent) =>
    open({ 'GET /api/services/': withPort({ status: 4, reason, reason_text }), [read]: last, [post]: { status: 1 } })

  test('it says which number and why, marks the one field and has the rest as it was sent', async () => {
    const api = await fail('sim_number', 'Spark has a different SIM number for it.')
    await heading('027 555 0111 didn’t move')
    expect(banner()).toMatch(/^Spark has a different SIM number for it\..*021 555 0142 works/)
    await expect.poll(() => errorOf(sim())).toBe('Spark could not match this. Please check it.')
    expect(sim().value).toBe('8964050123456789012')
    expect(screen.getByRole('heading', { name: 'Fix this one field' })).toBeTruthy()
    expect(screen.getByText('The rest is as you sent it on Mon 23 Nov.')).toBeTruthy()
    expect(main().getByText('Spark, prepay')).toBeTruthy()
    expect(screen.queryByRole('combobox')).toBeNull()
    await user.type(sim(), '{Backspace}3')
    expect(errorOf(sim())).toBeNull()
    await user.click(button())
    await heading(submitted)
    expect(api.calls.find(({ at }) => at === post)?.body).toEqual({
      msisdn: '027 555 0111',
      provider: 'spark',
      billing_method: 'prepay',
      prepaid_sim_number: '8964050123456789013',
      account_number: '',
    })
  })

  test('the rest can be opened, and has what was sent', async () => {
    await fail('sim_number', 'Spark has a different SIM number for it.')
    await expect.poll(() => errorOf(sim())).toBe('Spark could not match this. Please check it.')
    await user.click(screen.getAllByRole('button', { name: 'Edit' })[0]!)
    expect([number().value, sim().value]).toEqual(['027 555 0111', '8964050123456789012'])
    expect(errorOf(sim())).toBe('Spark could not match this. Please check it.')
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Current provider' }).value).toBe('spark')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Prepay' }).checked).toBe(true)
  })

  test('what the server has against another field opens the rest', async () => {
    const api = await fail('sim_number', 'Spark has a different SIM number for it.')
    api.replies[post] = new ApiError(400, { msisdn: [portingMessages.taken] })
    await expect.poll(() => errorOf(sim())).toBe('Spark could not match this. Please check it.')
    await user.type(sim(), '{Backspace}3')
    await user.click(button())
    await expect.poll(() => screen.queryByRole('combobox')).toBeTruthy()
    expect(main().getByText(portingMessages.taken)).toBeTruthy()
    expect(number().value).toBe('027 555 0111')
  })

  test('or the account number', async () => {
    await fail('account_number', 'Spark has a different account number for it.', {
      ...sent,
      billing_method: 2,
      prepaid_sim_number: '',
      account_number: 'AC1',
    })
    await heading('027 555 0111 didn’t move')
    const account = box('Existing Account Number')
    expect(account.value).toBe('AC1')
    await expect.poll(() => errorOf(account)).toBe('Spark could not match this. Please check it.')
  })

  test('what was mended before a reload is not marked again', async () => {
    await fail('sim_number', 'Spark has a different SIM number for it.')
    await heading('027 555 0111 didn’t move')
    await user.type(sim(), '{Backspace}3')
    cleanup()
    await fail('sim_number', 'Spark has a different SIM number for it.')
    await heading('027 555 0111 didn’t move')
    expect([sim().value, errorOf(sim())]).toEqual(['8964050123456789013', null])
  })

  test('that nobody confirmed nothing is marked, and the same can be sent again', async () => {
    const api = await fail('no_reply', 'We got no ‘Yes’ within 2 hours.')
    await heading('027 555 0111 didn’t move')
    expect(banner()).toMatch(/We got no ‘Yes’ within 2 hours\..*reply ‘Yes’ to the text/)
    expect(errorOf(sim())).toBeNull()
    await user.click(button())
    await heading(submitted)
    expect(api.calls.find(({ at }) => at === post)?.body).toMatchObject({ prepaid_sim_number: sent.prepaid_sim_number })
  })

  test('that was cancelled nothing is marked, and the same can be sent again', async () => {
    await fail('cancelled', 'The transfer was cancelled, and the number is still with Spark.')
    await heading('027 555 0111 didn’t move')
    expect(banner()).toMatch(/still with Spark\..*If you still want to bring it, send your request again\./)
    expect([number().value, errorOf(sim())]).toEqual(['027 555 0111', null])
  })

  test('for a reason that we have no words for all of it is to be checked', async () => {
    await fail(null)
    await heading('027 555 0111 didn’t move')
    expect(banner()).toMatch(/^Sorry, your request .*Please check what you sent, and send it again\./)
    expect([number().value, errorOf(sim())]).toEqual(['027 555 0111', null])
  })

  test('the form is there all the same when what was sent cannot be had', async () => {
    await fail('sim_number', 'Spark has a different SIM number for it.', new ApiError(500, undefined))
    await heading('027 555 0111 didn’t move')
    expect(banner()).toContain('Spark has a different SIM number for it.')
    expect(number().value).toBe('')
  })
})
