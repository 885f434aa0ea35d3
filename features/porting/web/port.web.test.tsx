import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { anonymousAccount, portingRequestView, signedInAccount, twoServices } from '#quality/support/account.ts'
import { getFieldError, createFakeApi, openPortal, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
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
const findFailure = async () => (await screen.findByText('didn’t move')).parentElement!
const main = () => within(screen.getByRole('main'))

const withPort = (porting_request: Partial<PortingRequestView>) => ({
  ...twoServices,
  [uuid]: {
    ...twoServices[uuid]!,
    porting_request: portingRequestView(porting_request),
  },
})

async function open(replies: Record<string, Reply> = {}, at = path, bootstrap = testBootstrap) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
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
  await openPortal(portingPages, at, api, bootstrap)
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

test('the transfer page shows the form, and links back to the service', async () => {
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

test('the transfer page shows when providers start to process a request made outside business hours', async () => {
  await open({
    'GET /api/account/porting_providers/': {
      providers: [{ id: 'skinny', name: 'Skinny' }],
      looked_at_from: '2026-11-23T19:00:00Z',
    },
  })
  expect((await screen.findByText('Providers are closed now')).parentElement?.textContent).toContain(
    'they’ll look at it from 8 am on Tue 24 Nov.',
  )
})

test('only in the demo, the transfer page says that the network works around the clock', async () => {
  const note = 'This demo’s network works around the clock, so here a transfer takes only a few seconds.'
  const closed = {
    'GET /api/account/porting_providers/': { providers: [], looked_at_from: '2026-11-23T19:00:00Z' },
  }
  await open(closed)
  await screen.findByText('Providers are closed now')
  expect(screen.queryByText(note)).toBeNull()
  cleanup()
  await open(closed, path, { ...testBootstrap, isDemo: true })
  const banner = (await screen.findByText('Providers are closed now')).parentElement
  expect(banner?.textContent).toContain(note)
  const help = screen.getByText('How the transfer works').closest('details')
  expect(help?.textContent).toContain(note)
})

test('an incomplete transfer request is not sent, and the form shows which fields are required', async () => {
  const api = await open()
  await heading(title)
  await user.click(button())
  expect(getFieldError(number())).toBe('This field is required.')
  expect(getFieldError(screen.getByRole('radiogroup'))).toBe(portingMessages.billingMethod)
  expect(api.calls.some(({ at }) => at === post)).toBe(false)
})

test('sends the transfer request, then reloads the services and confirms the request', async () => {
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

describe('confirmation page for a transfer request', () => {
  const pages = [...portingPages, ...dashboardPages]
  const success = `${path}success/`
  const openSuccess = (services: Reply) =>
    openPortal(
      pages,
      success,
      createFakeApi({ 'GET /api/account/': signedInAccount(), 'GET /api/services/': services }),
    )

  test.each([1, 2] as const)(
    'the transfer confirmation page can also be opened by its URL while the transfer is under way (status %i)',
    async (status) => {
      await openSuccess(withPort({ status }))
      await heading(submitted)
      expect(location.pathname).toBe(success)
    },
  )

  test.each([
    ['no transfer was requested', twoServices],
    ['the transfer has completed', withPort({ status: 3 })],
    ['the transfer has failed', withPort({ status: 4 })],
  ])('the transfer confirmation page redirects to the dashboard when %s', async (_, services) => {
    await openSuccess(services)
    await expect.poll(() => location.pathname).toBe('/')
    expect(screen.queryByText(submitted)).toBeNull()
  })

  test('the transfer confirmation page shows only an error if the services do not load, and lets the customer try again', async () => {
    const api = createFakeApi({ 'GET /api/account/': signedInAccount(), 'GET /api/services/': new ApiError(500, {}) })
    await openPortal(pages, success, api)
    await screen.findByText('Your services can’t be loaded right now.')
    expect(screen.queryByText(submitted)).toBeNull()
    api.replies['GET /api/services/'] = withPort({})
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await heading(submitted)
  })
})

test('input in the transfer form is kept only for the same service, and is cleared once it has been sent', async () => {
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

test('sends the transfer request only once despite a second click, and shows that it is being sent', async () => {
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

test('the transfer form shows the server’s error message at the field that it concerns', async () => {
  await open({ [post]: new ApiError(400, { msisdn: [portingMessages.ownNumber] }) })
  await heading(title)
  await fillIn()
  await user.click(button())
  await expect.poll(() => getFieldError(number())).toBe(portingMessages.ownNumber)
})

test.each<[string, ApiError, string]>([
  [
    'a transfer that somebody in the household has just requested',
    new ApiError(400, { __all__: [portServiceMessages.underWay] }),
    portServiceMessages.underWay,
  ],
  ['too many requests', new ApiError(429, {}), 'Too many requests. Please try again shortly.'],
  ['no response', new ApiError(0, undefined), 'Sorry, there was an unexpected error. Please refresh and try again.'],
])('the transfer form shows an error for %s and keeps what was typed', async (_, failure, sentence) => {
  await open({ [post]: failure })
  await heading(title)
  await fillIn()
  await user.click(button())
  expect((await screen.findByRole('alert')).textContent).toContain(sentence)
  expect(number().value).toBe('027 555 0111')
})

test('on a desktop, help with finding the SIM number opens when “Prepay” is chosen, and is hidden when “Account” is chosen', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  await open()
  await heading(title)
  await user.click(screen.getByRole('radio', { name: 'Prepay' }))
  expect(screen.getByText('Find your SIM Number').closest('details')?.open).toBe(true)
  await user.click(screen.getByRole('radio', { name: 'Account' }))
  expect(screen.queryByText('Find your SIM Number')).toBeNull()
})

describe('transfer page when a transfer already exists', () => {
  test.each([1, 2] as const)(
    'a transfer under way (status %i) is shown in place of the transfer form',
    async (status) => {
      await open({ 'GET /api/services/': withPort({ status }) })
      await heading('Bringing 027 555 0111 to Fantail')
      expect(main().getByText('From Spark, prepay')).toBeTruthy()
      expect(main().getByRole('link', { name: '021 555 0142' }).getAttribute('href')).toBe(home)
      expect(screen.queryByRole('textbox')).toBeNull()
    },
  )

  test('a completed transfer is shown in place of the transfer form', async () => {
    await open({ 'GET /api/services/': withPort({ status: 3 }) })
    await heading(title)
    expect(screen.getByText(portServiceMessages.done)).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  test('after a failed transfer, the transfer page keeps its title, says which number didn’t move and shows the form', async () => {
    await open({ 'GET /api/services/': withPort({ status: 4 }) })
    expect((await findFailure()).textContent).toBe('027 555 0111 didn’t move')
    await heading(title)
    expect(number().value).toBe('')
  })
})

test('the transfer page shows the not-found page if the customer has no such service', async () => {
  await open({}, '/services/11111111-1111-4111-8111-111111111111/port/')
  await heading('Unfortunately we could not find what you were looking for')
  await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('the transfer page sends a signed-out visitor to the login page', async () => {
  await open({ 'GET /api/account/': anonymousAccount })
  await expect.poll(() => location.pathname + location.search).toBe(`/login/?next=${encodeURIComponent(path)}`)
})

test('the transfer form can be sent even if the list of services does not load', async () => {
  await open({ 'GET /api/services/': new ApiError(500, undefined), [post]: { status: 1 } })
  await heading(title)
  expect(screen.getByRole('link', { name: 'Back to your service' })).toBeTruthy()
  await fillIn()
  await user.click(button())
  await heading(submitted)
})

test('offers to reload the list of providers if it does not load, and keeps the customer’s input', async () => {
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

describe('transfer form after a failed transfer', () => {
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

  test('after a failed transfer, the form highlights the field that was wrong and resends the other details unchanged', async () => {
    const api = await fail('sim_number', 'Spark has a different SIM number for this number.')
    await findFailure()
    expect(banner()).toMatch(/^Spark has a different SIM number for this number\..*021 555 0142 works/)
    await expect.poll(() => getFieldError(sim())).toBe('This doesn’t match the records at Spark. Please check it.')
    expect(sim().value).toBe('8964050123456789012')
    expect(screen.getByRole('heading', { name: 'Correct this field' })).toBeTruthy()
    expect(screen.getByText('Everything else is as you sent it on Mon 23 Nov.')).toBeTruthy()
    expect(main().getByText('Spark, prepay')).toBeTruthy()
    expect(screen.queryByRole('combobox')).toBeNull()
    await user.type(sim(), '{Backspace}3')
    expect(getFieldError(sim())).toBeNull()
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

  test('after a failed transfer, the customer can show the other fields, filled in with the submitted details', async () => {
    await fail('sim_number', 'Spark has a different SIM number for this number.')
    await expect.poll(() => getFieldError(sim())).toBe('This doesn’t match the records at Spark. Please check it.')
    await user.click(screen.getAllByRole('button', { name: 'Edit' })[0]!)
    expect([number().value, sim().value]).toEqual(['027 555 0111', '8964050123456789012'])
    expect(getFieldError(sim())).toBe('This doesn’t match the records at Spark. Please check it.')
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Current provider' }).value).toBe('spark')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Prepay' }).checked).toBe(true)
  })

  test('after a failed transfer, the other fields appear if the server rejects one of them', async () => {
    const api = await fail('sim_number', 'Spark has a different SIM number for this number.')
    api.replies[post] = new ApiError(400, { msisdn: [portingMessages.taken] })
    await expect.poll(() => getFieldError(sim())).toBe('This doesn’t match the records at Spark. Please check it.')
    await user.type(sim(), '{Backspace}3')
    await user.click(button())
    await expect.poll(() => screen.queryByRole('combobox')).toBeTruthy()
    expect(main().getByText(portingMessages.taken)).toBeTruthy()
    expect(number().value).toBe('027 555 0111')
  })

  test('after a failed transfer, the form highlights the account number if the current provider has a different one', async () => {
    await fail('account_number', 'Spark has a different account number for this number.', {
      ...sent,
      billing_method: 2,
      prepaid_sim_number: '',
      account_number: 'AC1',
    })
    await findFailure()
    const account = box('Existing Account Number')
    expect(account.value).toBe('AC1')
    await expect.poll(() => getFieldError(account)).toBe('This doesn’t match the records at Spark. Please check it.')
  })

  test('a field corrected after a failed transfer is not highlighted again when the page is reloaded', async () => {
    await fail('sim_number', 'Spark has a different SIM number for this number.')
    await findFailure()
    await user.type(sim(), '{Backspace}3')
    cleanup()
    await fail('sim_number', 'Spark has a different SIM number for this number.')
    await findFailure()
    expect([sim().value, getFieldError(sim())]).toEqual(['8964050123456789013', null])
  })

  test('if a transfer failed for lack of a reply, the form highlights no field and can send the same details again', async () => {
    const api = await fail('no_reply', 'We didn’t get your ‘Yes’ within 2 hours.')
    await findFailure()
    expect(banner()).toMatch(/We didn’t get your ‘Yes’ within 2 hours\..*reply ‘Yes’ to the text/)
    expect(getFieldError(sim())).toBeNull()
    await user.click(button())
    await heading(submitted)
    expect(api.calls.find(({ at }) => at === post)?.body).toMatchObject({ prepaid_sim_number: sent.prepaid_sim_number })
  })

  test('after a cancelled transfer, the form highlights no field and keeps the submitted details', async () => {
    await fail('cancelled', 'The transfer was cancelled, and the number is still with Spark.')
    await findFailure()
    expect(banner()).toMatch(/still with Spark\..*If you still want to bring your number, send your request again\./)
    expect([number().value, getFieldError(sim())]).toEqual(['027 555 0111', null])
  })

  test('if a transfer failed for an unknown reason, the form asks the customer to check all details', async () => {
    await fail(null)
    await findFailure()
    expect(banner()).toMatch(/^Sorry, your request .*Please check your details and send your request again\./)
    expect([number().value, getFieldError(sim())]).toEqual(['027 555 0111', null])
  })

  test('shows an empty form after a failed transfer if the submitted details do not load', async () => {
    await fail('sim_number', 'Spark has a different SIM number for this number.', new ApiError(500, undefined))
    await findFailure()
    expect(banner()).toContain('Spark has a different SIM number for this number.')
    expect(number().value).toBe('')
  })
})
