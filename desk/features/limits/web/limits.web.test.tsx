import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { type Call, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { type Limits, limitsMessages, type RoleLimits } from '../limits.contract.ts'
import { limitsPages } from './limits.pages.ts'

const user = userEvent.setup()
const staff = { id: 'Jo', name: 'Jo', email: 'jo@fantail.example', roles: ['admin'], is_lead: false, passkeys: 0 }

const role = (more: Partial<RoleLimits> = {}): RoleLimits => ({
  role: 'support',
  order: '10.00',
  day: '100.00',
  changed: null,
  why_not: null,
  asked: null,
  deciders: ['Al Fox'],
  ...more,
})
const limits = (more: Partial<Limits> = {}): Limits => ({
  roles: [role(), role({ role: 'finance', order: '100.00', day: '1000.00' })],
  people: [{ id: 'Hine', name: 'Hine', roles: ['support'], given: '62.50', day: '100.00' }],
  ...more,
})

async function open(answer: Reply, replies: Record<string, Reply> = {}) {
  const api = createFakeApi({ 'GET /api/desk/me/': { staff, demo: [] }, 'GET /api/desk/limits/': answer, ...replies })
  await openPortal(limitsPages, '/limits/', api)
  await screen.findByRole('heading', { name: 'Limits', level: 1 })
  return api
}
const panel = (name: string) => within(screen.getByRole('region', { name }))
const sent = (api: { calls: Call[] }, at: string) => api.calls.filter((call) => call.at === at).map(({ body }) => body)

async function openDrawer() {
  await user.click(screen.getByRole('button', { name: 'Change limits for Support' }))
  return within(await screen.findByRole('dialog', { name: 'Limits for Support' }))
}

test('the refund limits page shows each role’s limits and how much of them each person has used', async () => {
  const changed = { at: '2026-11-24T03:03:00Z', by: 'Jo', approved_by: 'Al Fox' }
  await open(limits({ roles: [role({ changed }), role({ role: 'finance', order: '100.00', day: '1000.00' })] }))
  expect(panel('Support').getByText('$10.00')).toBeTruthy()
  expect(panel('Support').getByText('Last changed on 24 Nov, 16:03 by Jo, approved by Al Fox.')).toBeTruthy()
  expect(panel('Finance').getByText('$1,000.00')).toBeTruthy()
  expect(panel('Finance').getByText('These are the default limits. They have not been changed.')).toBeTruthy()
  const row = screen.getByRole('row', { name: /Hine/ })
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['Support', '$62.50', '$100.00', '$37.50'])
})

test('requesting higher refund limits asks for the person’s passkey again and then sends the request', async () => {
  let times = 0
  const api = await open(limits(), {
    'POST /api/desk/sign-in/demo/': {},
    'POST /api/desk/limits/support/': () => {
      times += 1
      if (times === 1) return new ApiError(403, { code: 'Please confirm with your passkey again.', step_up: true })
      return { outcome: 'asked', lapses: '2026-11-25T03:03:00Z' }
    },
  })
  const drawer = await openDrawer()
  await user.clear(drawer.getByLabelText('Refund limit per order'))
  await user.type(drawer.getByLabelText('Refund limit per order'), '120')
  expect(drawer.getByText(/^Takes effect once approved by Al Fox, or after 24 hours/)).toBeTruthy()
  await user.selectOptions(drawer.getByLabelText('Reason'), 'Plans have become more expensive')
  await user.click(drawer.getByRole('button', { name: 'Request approval' }))
  expect(await drawer.findByText(limitsMessages.day)).toBeTruthy()
  await user.clear(drawer.getByLabelText('Refund limit per 24 hours'))
  await user.type(drawer.getByLabelText('Refund limit per 24 hours'), '240')
  expect(
    drawer.getByText('Support can then refund up to $120.00 per order and $240.00 in 24 hours without approval'),
  ).toBeTruthy()
  await user.click(drawer.getByRole('button', { name: 'Request approval' }))
  expect(await screen.findByText('Request sent. You’ll see the result on the Today page.')).toBeTruthy()
  expect(sent(api, 'POST /api/desk/limits/support/').at(-1)).toEqual({
    order: '120',
    day: '240',
    was_order: '10.00',
    was_day: '100.00',
    reason: 'plans-dearer',
    note: '',
  })
})

test('the refund limits page confirms that lower limits take effect immediately', async () => {
  await open(limits(), { 'POST /api/desk/limits/support/': { outcome: 'changed', lapses: null } })
  const drawer = await openDrawer()
  await user.clear(drawer.getByLabelText('Refund limit per order'))
  await user.type(drawer.getByLabelText('Refund limit per order'), '5')
  expect(drawer.getByText('The change takes effect at once, and we’ll email the team leads')).toBeTruthy()
  await user.selectOptions(drawer.getByLabelText('Reason'), 'Plans have become more expensive')
  await user.click(drawer.getByRole('button', { name: 'Change limits' }))
  expect(await screen.findByText('The limits for Support were changed.')).toBeTruthy()
})

test('the refund limits page says why people cannot change their own role’s limits, or limits with an open request', async () => {
  const asked = { by: 'Al Fox', order: '20.00', day: '200.00', left_seconds: 7_200, is_own: false, is_stale: false }
  await open(limits({ roles: [role({ why_not: limitsMessages.oneself }), role({ role: 'finance', asked })] }))
  expect(panel('Support').getByText(limitsMessages.oneself)).toBeTruthy()
  expect(panel('Finance').getByText(/Al Fox requested \$20.00 per order and \$200.00/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Change limits/ })).toBeNull()
})

test('higher refund limits can be requested despite an open request if the limits have changed since it was made', async () => {
  const asked = { by: 'Al Fox', order: '20.00', day: '200.00', left_seconds: 7_200, is_own: false, is_stale: true }
  await open(limits({ roles: [role({ asked }), role({ role: 'finance' })] }))
  expect(panel('Support').getByText(/The limits have changed since, so this request can’t be approved/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Change limits for Support' })).toBeTruthy()
})

test('the refund limits page says so if nobody has a role with limits, and can be loaded again after an error', async () => {
  let times = 0
  await open(() => {
    times += 1
    return times === 1 ? new ApiError(409, { code: 'Sorry.' }) : limits({ people: [] })
  })
  await user.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Nobody has the support or finance role yet.')).toBeTruthy()
})
