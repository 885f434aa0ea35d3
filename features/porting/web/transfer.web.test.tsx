import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { setServerTime } from '#kit/web/server-time.ts'
import type { PortingProgress } from '#features/services/services.contract.ts'
import { portingProgress, portingRequestView, signedInAccount, twoServices } from '#quality/support/account.ts'
import { createFakeApi, openPortal, testBootstrap } from '#quality/support/open-portal.tsx'
import { portServiceMessages } from '../port-service.contract.ts'
import { portingPages } from './porting.pages.ts'

const user = userEvent.setup()
const uuid = 'uuid-+64215550142'
const path = `/services/${uuid}/port/`
const cancelCall = `DELETE /api/services/port/${encodeURIComponent(uuid)}/`
const readCall = `GET /api/services/port/${encodeURIComponent(uuid)}/`

const replyBy = '2026-11-22T23:40:00.000Z'
const reply = portingProgress({
  step: 'reply',
  since: '2026-11-22T21:40:00.000Z',
  found_at: '2026-11-22T21:40:00.000Z',
  reply_by: replyBy,
})

const servicesAt = (progress: PortingProgress, status: 1 | 2 | 3 = 2) => ({
  ...twoServices,
  [uuid]: { ...twoServices[uuid]!, porting_request: portingRequestView({ status, progress }) },
})

async function open(
  progress: PortingProgress,
  { status = 2, now = '2026-11-22T22:16:00.000Z', replies = {} }: Open = {},
) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    'GET /api/services/': servicesAt(progress, status),
    'GET /api/account/porting_providers/': { providers: [{ id: 'spark', name: 'Spark' }], looked_at_from: null },
    [readCall]: null,
    ...replies,
  })
  setServerTime(now)
  await openPortal(portingPages, path, api, { ...testBootstrap, serverTime: now })
  return api
}
type Open = { status?: 1 | 2 | 3; now?: string; replies?: object }

const steps = () => screen.getAllByRole('listitem').filter((item) => within(item).queryByRole('heading', { level: 2 }))
const said = () => steps().map((item) => item.textContent)
const current = () => steps().findIndex((item) => item.getAttribute('aria-current') === 'step') + 1
const buttons = () =>
  within(screen.getByRole('main'))
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.useRealTimers())

describe('steps of a number transfer', () => {
  test('shows all five steps of a number transfer as soon as it is requested', async () => {
    await open(portingProgress(), { status: 1 })
    await screen.findByRole('heading', { level: 1, name: 'Bringing 027 555 0111 to Fantail' })
    expect(said()).toEqual(
      [
        '1Request sentMon 23 Nov, 10:04 am',
        '2Spark is checking your numberKeep your old SIM in your phone.',
        '3You reply YESYou’ll get a text on your old SIM, and have 2 hours to reply.',
        '4Your number movesNormally about 4 hours in business hours. 021 555 0142 works on this SIM until then.',
        '5Put in your new SIMWe’ll email you when it’s time.',
      ].map((text, at) => (at === 0 ? text.replace('1Request sent', 'Request sent (done)') : text)),
    )
    expect(current()).toBe(2)
  })

  test('the transfer page shows when the current provider will start to process the request', async () => {
    await open(portingProgress({ looked_at_from: '2026-11-23T19:00:00.000Z' }), { status: 1 })
    expect(await screen.findByText('Spark will look at it from 8 am on Tue 24 Nov.')).toBeTruthy()
  })

  test('the transfer page shows that the number was found and by when the customer must reply', async () => {
    await open(reply)
    await screen.findByRole('heading', { name: 'Reply YES to the text' })
    expect(current()).toBe(3)
    expect(said().slice(1, 3)).toEqual([
      'Spark found your number (done)10:40 am',
      '3You reply YESWaiting since 10:40 am. Keep your old SIM in your phone.',
    ])
    expect(screen.getByText('by 12:40 pm, or the transfer will be cancelled')).toBeTruthy()
    expect(screen.getByText('2542')).toBeTruthy()
    expect(screen.getByText(/^ACTION REQUIRED/)).toBeTruthy()
  })

  test('a transfer cannot be cancelled once the number is moving', async () => {
    await open({ ...reply, step: 'moving', since: replyBy, confirmed_at: replyBy, reply_by: null })
    await screen.findByText('Your number moves')
    expect(current()).toBe(4)
    expect(buttons()).toEqual([])
  })

  test('shows what to do with the SIM once the number has moved', async () => {
    await open({ ...reply, step: 'moved', since: replyBy, confirmed_at: replyBy, reply_by: null }, { status: 3 })
    await screen.findByRole('heading', { level: 1, name: '027 555 0111 has moved to Fantail' })
    expect(screen.getByText(portServiceMessages.done)).toBeTruthy()
    expect(current()).toBe(5)
    expect(screen.getByText('Turn your phone off and on again.')).toBeTruthy()
  })
})

describe('countdown until the customer must reply to a number transfer', () => {
  const timer = () => screen.getByRole('timer').textContent
  const aloud = () =>
    screen
      .getAllByRole('status')
      .map(({ textContent }) => textContent)
      .join('')
  const pass = (minutes: number) => act(async () => void (await vi.advanceTimersByTimeAsync(minutes * 60_000)))

  test('the reply countdown updates every minute, and is announced to screen readers at 30, 10 and 0 minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
    await open(reply)
    await screen.findByRole('heading', { name: 'Reply YES to the text' })
    expect(timer()).toBe('84 min left')
    await pass(1)
    expect(timer()).toBe('83 min left')
    expect(aloud()).toBe('')
    await pass(53)
    expect(aloud()).toBe('30 minutes left to reply YES.')
    await pass(20)
    expect(aloud()).toBe('10 minutes left to reply YES.')
    await pass(10)
    expect(screen.getByRole('heading', { name: 'Time’s up. We’re checking the result.' })).toBeTruthy()
    expect(aloud()).toBe('Time’s up. We’re checking the result.')
    expect(timer()).toBe('')
  })

  test('the transfer page offers help and a phone number to customers who did not get the text', async () => {
    await open(reply)
    const help = (await screen.findByText('I didn’t get a text')).closest('details')!
    expect(help.open).toBe(false)
    await user.click(screen.getByText('I didn’t get a text'))
    expect(help.textContent).toMatch(/signal.*blocked.*027 555 0111 the right number.*Need a person\? 0800/)
  })

  test('shows no reply countdown if it is unknown when the wait for the customer’s reply began', async () => {
    await open({ ...reply, since: null, reply_by: null })
    expect(await screen.findByText('within 2 hours of getting it, or the transfer will be cancelled')).toBeTruthy()
    expect(screen.queryByRole('timer')).toBeNull()
  })
})

describe('cancelling a number transfer on the transfer page', () => {
  const dialog = () => within(screen.getByRole('dialog'))
  const confirm = (name: string) => user.click(dialog().getByRole('button', { name }))

  test('cancels a transfer once the customer confirms, and then shows the form with the submitted details', async () => {
    const sent = {
      msisdn: '027 555 0111',
      provider: 'spark',
      billing_method: 1,
      prepaid_sim_number: '8964050123456789012',
      account_number: '',
    }
    const api = await open(reply, { replies: { [cancelCall]: { status: 4 } } })
    await user.click(await screen.findByRole('button', { name: 'Cancel the transfer' }))
    api.replies['GET /api/services/'] = {
      ...twoServices,
      [uuid]: {
        ...twoServices[uuid]!,
        porting_request: portingRequestView({
          status: 4,
          reason: 'cancelled',
          reason_text: 'The transfer was cancelled.',
        }),
      },
    }
    api.replies[readCall] = sent
    await confirm('Cancel the transfer')
    expect((await screen.findByText('didn’t move')).parentElement?.textContent).toBe('027 555 0111 didn’t move')
    expect(api.calls.filter(({ at }) => at === cancelCall)).toHaveLength(1)
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Phone Number you want to bring' }).value).toBe(
      '027 555 0111',
    )
  })

  test('if it is too late to cancel a number transfer, shows a message and changes nothing', async () => {
    await open(reply, { replies: { [cancelCall]: new ApiError(400, { __all__: [portServiceMessages.tooLate] }) } })
    await user.click(await screen.findByRole('button', { name: 'Cancel the transfer' }))
    await confirm('Cancel the transfer')
    expect((await screen.findByRole('alert')).textContent).toContain(portServiceMessages.tooLate)
    await confirm('Keep the transfer')
    expect(screen.getByRole('heading', { name: 'Reply YES to the text' })).toBeTruthy()
  })

  test('shows that a transfer is being cancelled, and does not offer to cancel it again', async () => {
    await open({ ...reply, is_cancelling: true })
    await screen.findByText('We’re cancelling the transfer')
    expect(buttons()).toEqual([])
    expect(screen.queryByRole('timer')).toBeNull()
  })

  test('if the current provider needs more details, “Correct my details” opens the dialog for cancelling the transfer', async () => {
    await open(portingProgress({ step: 'information' }), { status: 1 })
    expect(await screen.findAllByText('Spark needs more details')).toHaveLength(2)
    expect(buttons()).toEqual(['Correct my details'])
    await user.click(screen.getByRole('button', { name: 'Correct my details' }))
    expect(dialog().getByText(/show you the details you sent/)).toBeTruthy()
  })
})
