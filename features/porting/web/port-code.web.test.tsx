import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { setServerTime } from '#kit/web/server-time.ts'
import type { PortingProgress } from '#features/services/services.contract.ts'
import { portingProgress, portingRequestView, signedInAccount, twoServices } from '#quality/support/account.ts'
import { australianBootstrap, getFieldError, createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import { portCodeMessages } from '../port-code.contract.ts'
import { portingPages } from './porting.pages.ts'

const user = userEvent.setup()
const uuid = 'uuid-+64215550142'
const path = `/services/${uuid}/port/`
const codeCall = `POST /api/services/port_code/${encodeURIComponent(uuid)}/`
const now = '2026-11-22T22:16:00.000Z'

const reply = portingProgress({
  step: 'reply',
  since: '2026-11-22T21:40:00.000Z',
  reply_by: '2026-11-22T23:40:00.000Z',
})
const servicesAt = (progress: PortingProgress) => ({
  ...twoServices,
  [uuid]: {
    ...twoServices[uuid]!,
    porting_request: portingRequestView({ status: 2, msisdn: '+61491570158', donor: 'Optus', progress }),
  },
})

async function open(answer: () => object) {
  let services = servicesAt(reply)
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    'GET /api/services/': () => services,
    'GET /api/account/porting_providers/': { providers: [{ id: 'optus', name: 'Optus' }], looked_at_from: null },
    [`GET /api/services/port/${encodeURIComponent(uuid)}/`]: null,
    [codeCall]: answer,
  })
  setServerTime(now)
  await openPortal(portingPages, path, api, { ...australianBootstrap, serverTime: now })
  await screen.findByRole('heading', { name: 'Enter the code from the text' })
  return {
    field: () => screen.getByLabelText<HTMLInputElement>('Code from the text'),
    press: () => user.click(screen.getByRole('button', { name: 'Confirm the transfer' })),
    moves: () =>
      void (services = servicesAt({ ...reply, step: 'moving', confirmed_at: now, since: now, reply_by: null })),
  }
}

const step = () => screen.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step')!

test('in Australia, entering the code from the text moves the transfer to its next step', async () => {
  const sent: unknown[] = []
  const { field, press, moves } = await open(() => {
    moves()
    sent.push(true)
    return { status: 2 }
  })
  expect(within(step()).getByRole('heading', { name: 'You enter the code' })).toBeTruthy()
  expect(screen.getByRole('timer', { name: 'Time left to enter your code' }).textContent).toBe('84 min left')
  expect(field().autocomplete).toBe('one-time-code')
  expect(document.body.textContent).not.toMatch(/YES|2542|‘Yes’/)
  await user.type(field(), '12 34-56')
  expect(field().value).toBe('123456')
  await press()
  await screen.findByText(/works on this SIM until then/)
  expect(within(step()).getByRole('heading', { name: 'Your number moves' })).toBeTruthy()
  expect(screen.queryByLabelText('Code from the text')).toBeNull()
  expect(sent).toHaveLength(1)
})

test('a malformed transfer code shows an error without being sent, and a wrong code shows the server’s error at the field', async () => {
  const { field, press } = await open(() => {
    throw new ApiError(400, { code: [portCodeMessages.wrong] })
  })
  await user.type(field(), '12')
  await user.tab()
  expect(getFieldError(field())).toBe(portCodeMessages.format)
  await user.type(field(), '3456')
  await press()
  await screen.findByText(portCodeMessages.wrong)
  expect(field().value).toBe('123456')
})
