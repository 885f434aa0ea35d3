import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { activationView, noActivationError } from '#quality/support/activation-view.ts'
import { expectEventually, withFakeTime, pass } from '#quality/support/fake-time.ts'
import { createFakeApi, openPortal, testBootstrap } from '#quality/support/open-portal.tsx'
import { activationPages } from './activation.pages.ts'

withFakeTime(testBootstrap.serverTime)

test('after a 503, submits the SIM step again within four to seven seconds and keeps START disabled until then', async () => {
  const step = 'POST /api/activate/sim/'
  const answers = [new ApiError(503, undefined), activationView({ state: 'CREATED' })]
  const api = createFakeApi({ 'GET /api/activate/': noActivationError, [step]: () => answers.shift() })
  await openPortal(activationPages, '/activate/', api)
  await expectEventually(() => screen.queryByRole('button', { name: 'START' })).not.toBeNull()
  const texts = { 'Phone Number on the SIM pack': '021 505 0103', 'Last 4 digits of the SIM Number': '1113' }
  for (const [name, value] of Object.entries(texts))
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
  fireEvent.click(screen.getByRole('radio', { name: 'No, use the Phone Number on the SIM pack' }))
  const start = screen.getByRole<HTMLButtonElement>('button', { name: 'START' })
  fireEvent.click(start)
  const calls = () => api.calls.filter(({ at }) => at === step)
  await expectEventually(() => calls().length).toBe(1)
  await pass(4_000)
  expect([calls().length, start.disabled]).toEqual([1, true])
  await pass(3_000)
  await expectEventually(() => location.pathname).toBe('/activate/signup/')
  expect(calls()).toHaveLength(2)
})
