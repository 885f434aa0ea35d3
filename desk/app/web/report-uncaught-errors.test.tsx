import { waitFor } from '@testing-library/react'
import * as v from 'valibot'
import { beforeEach, expect, test, vi } from 'vitest'
import { pages } from '#desk/app/pages.ts'
import { reportSchema } from '#features/error-reports/error-reports.contract.ts'

// Each document may send only a limited number of error reports, and all tests in a file share one document.
beforeEach(() => vi.resetModules())

test('an error on a desk page is reported with the page’s route pattern and the desk’s CSRF token', async () => {
  const { setCsrfToken: noteCsrfToken } = await import('#kit/web/csrf.ts')
  const { reportFault: tellFault } = await import('#kit/web/fault.ts')
  const { reportUncaughtErrors: watchFaults } = await import('./report-uncaught-errors.ts')
  document.cookie = 'desk_csrf=of-another-site'
  noteCsrfToken('of-the-desk')
  const sent = vi.fn<typeof fetch>(async () => new Response('{}'))
  vi.stubGlobal('fetch', sent)
  history.replaceState(null, '', '/orders/FT9D2RMX40KA/?why=task')
  const error = new TypeError('x is not a function')
  error.stack = `TypeError: x is not a function\n    at f (${location.origin}/desk/build/a1.js:1:20)`
  watchFaults(pages)
  tellFault('render', error)
  await waitFor(() => expect(sent).toHaveBeenCalledOnce())
  const [url, init] = sent.mock.calls[0] ?? []
  expect(url).toBe('/api/desk/errors/')
  expect(init?.headers).toMatchObject({ 'x-csrftoken': 'of-the-desk' })
  expect(v.parse(reportSchema, JSON.parse(String(init?.body)))).toMatchObject({
    kind: 'render',
    page: '/orders/:code/',
    frames: ['/desk/build/a1.js:1:20'],
  })
})
