import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as v from 'valibot'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { installFaultHandlers } from '#app/web/faults.ts'
import { type FaultKind, reportFault } from '#kit/web/fault.ts'
import { definePages, matchPage, type PageEntry } from '#kit/web/page.ts'
import { navigate } from '#kit/web/router/location.ts'
import { anonymousAccount } from '#quality/support/account.ts'
import { createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import { reportSchema } from '../error-reports.contract.ts'

const load: PageEntry['component'] = async () => ({ default: () => <h1>Home</h1> })
const pages = definePages([
  { path: '/', title: 'Home', component: load },
  { path: '/services/:uuid/', title: 'Service', component: load },
  { path: /^\/renew\/(?<shortId>\d+)\/(?:(?<code>[^/]+)\/)?$/, title: 'Renew', component: load },
  { path: /^/, title: 'Not Found', status: 404, component: load },
])

let sent: ReturnType<typeof vi.fn<typeof fetch>>

beforeEach(() => {
  // Reset the modules, so that each test behaves like a freshly loaded page.
  vi.resetModules()
  document.cookie = 'csrftoken=of-another-site'
  sent = vi.fn<typeof fetch>(async () => new Response('{}'))
  vi.stubGlobal('fetch', sent)
})
afterEach(() => sessionStorage.clear())

const bodies = () => sent.mock.calls.map(([, init]) => v.parse(reportSchema, JSON.parse(String(init?.body))))

async function report(
  { kind, error, answer }: { kind: FaultKind; error: unknown; answer?: Response },
  path = '/',
): Promise<void> {
  const { setCsrfToken: noteCsrfToken } = await import('#kit/web/csrf.ts')
  noteCsrfToken('tok-1')
  const { reportError: send } = await import('./report-error.ts')
  send(matchPage(pages, path), path, answer ? [kind, error, answer] : [kind, error])
}

function errorAt(message: string, ...places: string[]): Error {
  const error = new TypeError(message)
  error.stack = [`TypeError: ${message}`, ...places.map((place) => `    at f (${place})`)].join('\n')
  return error
}
const built = `${location.origin}/static/build`

describe('error reports sent by the browser', () => {
  test('each error is reported once, with the CSRF token, even if the page is being unloaded', async () => {
    await report({ kind: 'error', error: errorAt('broken', `${built}/a1.js:1:20`) })
    await report({ kind: 'render', error: errorAt('broken', `${built}/a1.js:1:20`) })
    expect(sent).toHaveBeenCalledOnce()
    const [url, init] = sent.mock.calls[0] ?? []
    expect(url).toBe('/api/errors/')
    expect(init).toMatchObject({
      method: 'POST',
      keepalive: true,
      headers: { 'x-csrftoken': 'tok-1', 'content-type': 'application/json' },
    })
    expect(bodies()).toEqual([
      {
        kind: 'error',
        name: 'TypeError',
        message: 'broken',
        frames: ['/static/build/a1.js:1:20'],
        page: '/',
        request_id: null,
        build: 'unknown',
        browser: expect.any(String),
      },
    ])
  })

  test('at most five error reports are sent per page load', async () => {
    for (let each = 0; each < 9; each++)
      await report({ kind: 'error', error: errorAt('broken', `${built}/a1.js:1:${each}`) })
    expect(sent).toHaveBeenCalledTimes(5)
  })

  test('no error report is sent while offline, and a failed report is not retried', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await report({ kind: 'error', error: new Error('offline') })
    expect(sent).not.toHaveBeenCalled()
    online.mockReturnValue(true)
    sent.mockRejectedValue(new TypeError('Failed to fetch'))
    await report({ kind: 'error', error: new Error('broken') })
    await report({ kind: 'error', error: new Error('broken') })
    expect(sent).toHaveBeenCalledOnce()
  })

  test('an error report contains no URL path, no parameter values and no text that the customer typed', async () => {
    await report(
      { kind: 'rejection', error: new Error('no "Ana Rewi" with ana@example.nz or 021 555 0142') },
      '/services/0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f/',
    )
    await report({ kind: 'error', error: new Error('a') }, '/renew/4711/ABCDEFGH/')
    await report({ kind: 'error', error: new Error('b') }, '/ana-rewi/nowhere/')
    expect(bodies()).toMatchObject([
      { message: 'no <text> with <email> or <number>', page: '/services/:uuid/' },
      { page: '/renew/:shortId/:code/' },
      { page: '(other)' },
    ])
  })

  test('an error report about a failed API request includes its method, path and request ID', async () => {
    const requestId = '0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f'
    const answer = (status: number, id: string) => new Response('{}', { status, headers: { 'x-request-id': id } })
    await report({ kind: 'call', error: { method: 'GET', path: '/api/services/:id/' }, answer: answer(503, requestId) })
    await report({
      kind: 'call',
      error: { method: 'GET', path: '/api/plans/' },
      answer: answer(502, 'a-proxy-of-theirs'),
    })
    expect(bodies()).toMatchObject([
      { kind: 'call', name: 'Error', message: 'GET /api/services/:id/ answered 503', request_id: requestId },
      { message: 'GET /api/plans/ answered 502', request_id: null },
    ])
  })

  test.each([
    [
      'Chrome',
      `    at f (${built}/a1.js:1:20)\n    at https://evil.example/static/build/e.js:1:1\n    at ${built}/b2.js:3:4`,
    ],
    ['Firefox and Safari', `f@${built}/a1.js:1:20\n@moz-extension://1/x.js:1:1\ng@${built}/b2.js:3:4`],
    [
      'development',
      `    at f (${built}/a1.js?t=17:1:20)\n    at ${location.origin}/services/7/:1:1\n    at g (${built}/b2.js:3:4)`,
    ],
  ])('an error report includes only frames in our own files from a %s stack trace', async (_whose, stack) => {
    await report({ kind: 'error', error: Object.assign(new Error('broken'), { stack }) })
    expect(bodies()).toMatchObject([{ frames: ['/static/build/a1.js:1:20', '/static/build/b2.js:3:4'] }])
  })

  test('an error report contains at most twenty stack frames', async () => {
    await report({
      kind: 'error',
      error: errorAt('deep', ...Array.from({ length: 50 }, (_, at) => `${built}/a1.js:1:${at}`)),
    })
    expect(bodies()[0]?.frames).toHaveLength(20)
  })

  test('errors in browser extensions are not reported', async () => {
    await report({ kind: 'error', error: errorAt('theirs', 'chrome-extension://abc/x.js:1:1') })
    expect(sent).not.toHaveBeenCalled()
  })

  test.each([
    ['a text', 'a text'],
    [undefined, 'something that is no error: undefined'],
    [{ email: 'ana@example.nz' }, 'something that is no error: object'],
  ])('reports a promise rejected with %o, even though that is not an Error', async (error, message) => {
    await report({ kind: 'rejection', error })
    expect(bodies()).toMatchObject([{ name: 'Error', message }])
  })

  test('if React wraps an error, the error report also contains the message of the original error', async () => {
    await report({ kind: 'error', error: new Error('while hydrating', { cause: new Error('text differs') }) })
    expect(bodies()).toMatchObject([{ message: 'while hydrating Cause: text differs' }])
  })

  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.7204.49 Safari/537.36',
      'Chrome 138',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.3351.55',
      'Edge 138',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 ' +
        '(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Safari 18',
    ],
    ['curl/8', 'other'],
  ])('shortens the user agent %s to %s in an error report', async (agent, browser) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
    await report({ kind: 'error', error: new Error(browser) })
    expect(bodies()).toMatchObject([{ browser }])
  })

  test('an error report names the build, which is taken from the page’s entry script', async () => {
    const script = document.head.appendChild(document.createElement('script'))
    script.type = 'application/json'
    script.setAttribute('src', '/static/build/entry-client--kOk5-ZX.js')
    await report({ kind: 'error', error: new Error('broken') })
    script.remove()
    expect(bodies()).toMatchObject([{ build: 'entry-client--kOk5-ZX.js' }])
  })
})

describe('how the portal handles an error in the browser', () => {
  beforeAll(installFaultHandlers)

  const read = { 'GET /api/account/': anonymousAccount }
  const reported = () => waitFor(() => expect(sent).toHaveBeenCalledOnce())

  test('if a page fails to render, the error is reported once, and Try Again on the error page reloads the page', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    const reload = vi.spyOn(location, 'reload').mockReturnValue()
    const Broken = (): never => {
      throw new TypeError('cannot render ana@example.nz')
    }
    await openPortal(
      [{ path: '/login/', title: 'Login', component: async () => ({ default: Broken }) }],
      '/login/',
      createFakeApi(read),
    )
    expect(screen.getByRole('heading', { name: 'Something Went Wrong' })).toBeTruthy()
    await reported()
    expect(bodies()).toMatchObject([
      { kind: 'render', name: 'TypeError', message: 'cannot render <email>', page: '/login/' },
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(reload).toHaveBeenCalledOnce()
    expect(said).toHaveBeenCalled()
  })

  test('if a page’s code cannot be loaded even after a reload, the error page is shown and the error is reported', async () => {
    vi.spyOn(location, 'reload').mockReturnValue()
    const lost: PageEntry = {
      path: '/forgot-password/',
      title: 'Lost',
      component: () => Promise.reject(new Error('no such chunk')),
    }
    await openPortal([{ path: '/login/', title: 'Login', component: load }, lost], '/login/', createFakeApi(read))
    act(() => navigate('/forgot-password/'))
    await waitFor(() => expect(location.reload).toHaveBeenCalledOnce())
    expect(sent).not.toHaveBeenCalled()
    act(() => navigate('/login/'))
    act(() => navigate('/forgot-password/'))
    expect(await screen.findByRole('heading', { name: 'Something Went Wrong' })).toBeTruthy()
    await reported()
    expect(bodies()).toMatchObject([{ kind: 'error', message: 'no such chunk', page: '/forgot-password/' }])
  })

  test('uncaught errors and unhandled rejections are reported', async () => {
    history.replaceState(null, '', '/login/')
    window.dispatchEvent(new ErrorEvent('error', { error: new RangeError('too deep') }))
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'no reason' }))
    window.dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }))
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(3))
    expect(bodies()).toMatchObject([
      { kind: 'error', name: 'RangeError', message: 'too deep', page: '/login/' },
      { kind: 'rejection', name: 'Error', message: 'no reason' },
      { kind: 'error', name: 'Error', message: 'Script error.' },
    ])
  })

  test('an error that occurs while an error is being reported does not cause an endless loop', async () => {
    sent.mockImplementation(async () => {
      reportFault('error', new Error('again'))
      throw new Error('again')
    })
    for (let each = 0; each < 200; each++) reportFault('error', new Error(`round ${each}`))
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(5))
    // Once the dynamic imports have settled, every error has been handled, including those caused by reporting.
    await vi.dynamicImportSettled()
    expect(sent).toHaveBeenCalledTimes(5)
  })
})
