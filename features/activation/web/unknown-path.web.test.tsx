import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pages } from '#app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { activationView, noActivationError } from '#quality/support/activation-view.ts'
import { toPay } from '#quality/support/checkout.ts'
import { createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import { activationPages } from './activation.pages.ts'

const unknown = [
  '/activate/elsewhere/',
  '/activate/success/more/',
  '/activate/new/more/',
  '/activate//',
  '/activate/%/',
]

test.each(unknown)('%s leads to the SIM step if there is no activation', async (path) => {
  const api = createFakeApi({
    'GET /api/activate/': noActivationError,
    'GET /api/account/': { authenticated: false, user: null },
  })
  await openPortal(activationPages, path, api)
  expect(await screen.findByRole('heading', { level: 1, name: 'Activate your SIM' })).toBeTruthy()
  await expect.poll(() => location.pathname).toBe('/activate/')
})

test.each([
  ['the current step', activationView({ state: 'CREATED' }), '/activate/signup/'],
  ['the success page', toPay({ state: 'SUCCESSFUL' }), '/activate/success/'],
])('an unknown path leads to %s', async (_, now, page) => {
  const api = createFakeApi({ 'GET /api/activate/': now, 'GET /api/account/': { authenticated: false, user: null } })
  await openPortal(activationPages, '/activate/elsewhere/', api)
  await expect.poll(() => location.pathname).toBe(page)
})

test.each([
  ['/activate/elsewhere', '/activate/elsewhere/'],
  ['/activate/a/b', '/activate/a/b/'],
  ['/activate/new', '/activate/new/'],
  ['/activate', '/activate/'],
])('adds the missing trailing slash to %s instead of showing Not Found', (path, canonical) => {
  expect(matchPage(pages, path)).toMatchObject({ canonical })
})
