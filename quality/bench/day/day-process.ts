import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { password } from '#quality/support/activation-journey.ts'
import { answerParentProcess } from '../world/child-process.ts'
import type { DayCustomer } from './customers.ts'
import { getRequestKind, type DayRequestKind } from './timetable.ts'

export type DayRequest = {
  port: number
  customers: readonly DayCustomer[]
  perSecond: number
  ms: number
  /**
   * The index of the first request in this stretch. A later stretch starts with a higher index, so it continues with different customers.
   */
  from: number
}
/** For each kind of request, the milliseconds from when each request was due until its response was complete. */
export type DayMeasurement = { times: Partial<Record<DayRequestKind, number[]>>; errors: string[] }

answerParentProcess(async ({ port, customers, perSecond, ms, from }: DayRequest): Promise<DayMeasurement> => {
  const answer: DayMeasurement = { times: {}, errors: [] }
  const start = performance.now()
  const under: Promise<void>[] = []
  for (let at = 0; at < (perSecond * ms) / 1_000; at++) {
    const due = start + (at * 1_000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await pause(wait)
    const customer = customers[(from + at) % customers.length]
    if (!customer) throw new Error('there is no customer')
    // Shift the kinds of requests by one each time all customers have had a turn, so that every customer sends a different kind in each
    // round.
    const call = getRequestKind(from + at + Math.floor((from + at) / customers.length))
    under.push(
      make[call]({ port, customer, nth: from + at }).then(
        () => void (answer.times[call] ??= []).push(performance.now() - due),
        (error: unknown) => void answer.errors.push(`${call}: ${String(error)}`),
      ),
    )
  }
  await Promise.all(under)
  return answer
})

type Scene = { port: number; customer: DayCustomer; nth: number }

const read =
  (path: (customer: DayCustomer) => string) =>
  async ({ port, customer }: Scene): Promise<void> =>
    void (await send(port, { path: path(customer), cookie: formatCookies(customer), from: customer.ip }))

const make: Record<DayRequestKind, (scene: Scene) => Promise<void>> = {
  'dashboard page': read(() => '/'),
  'usage summary': read(({ uuid }) => `/api/account/usage_summary/${uuid}/`),
  account: read(() => '/api/account/'),
  services: read(() => '/api/services/'),
  invoices: read(({ uuid }) => `/api/account/invoices/${uuid}/`),
  'alerts of a service': read(({ uuid }) => `/api/services/alerts/${uuid}/`),
  'one invoice': read(({ uuid, orderCode }) => `/api/account/invoices/${uuid}/${orderCode}/`),
  products: read(() => '/api/products/'),
  'save alerts': async ({ port, customer }) => {
    const body = { half: 'email', most: 'both', all: 'both', before_end: 'both' }
    await act(port, customer, { path: `/api/services/alerts/${customer.uuid}/`, body })
  },
  'log in': logIn,
  renewal: renew,
}

async function logIn({ port, customer }: Scene): Promise<void> {
  const from = customer.ip
  const { cookies } = await send(port, { path: '/api/account/', from })
  const body = { username: customer.email, password }
  await act(
    port,
    { token: cookies['fantail'] ?? '', csrfToken: cookies['csrftoken'] ?? '', ip: customer.ip },
    { path: '/api/account/login/', body },
  )
}

/** Renews the plan immediately with the saved card, then polls until the renewal is complete. The response to a slow payment is 202. */
async function renew({ port, customer }: Scene): Promise<void> {
  const { uuid, shortId } = customer
  const body = { uuid, schedule: shortId, product: 'plan-30-5gb', starts: 'now', use_saved_card: true }
  const orderResponse = await act(port, customer, {
    path: '/api/orders/recharge/',
    body,
    key: crypto.randomUUID(),
    also: 202,
  })
  const { order_code: code } = JSON.parse(orderResponse.text) as { order_code: string }
  const until = performance.now() + maxRenewalMs
  for (;;) {
    const order = await send(port, {
      path: `/api/orders/${code}/`,
      cookie: formatCookies(customer),
      from: customer.ip,
      also: 202,
    })
    if (order.status === 200) return
    if (performance.now() > until) throw new Error(`${code} was not through after ${maxRenewalMs} ms`)
    await pause(pollMs)
  }
}

const maxRenewalMs = 60_000
/** Polling interval in milliseconds, the same as for the benchmark's other visitors when they poll an order. */
const pollMs = 50

type BrowserCookies = Pick<DayCustomer, 'token' | 'csrfToken' | 'ip'>
const formatCookies = ({ token, csrfToken }: BrowserCookies): string => `fantail=${token}; csrftoken=${csrfToken}`

type Sent = {
  path: string
  cookie?: string
  csrfToken?: string
  body?: object
  key?: string
  from?: string
  also?: number
}
type HttpResponse = { status: number; text: string; cookies: Record<string, string> }

const act = (port: number, browser: BrowserCookies, sent: Sent): Promise<HttpResponse> =>
  send(port, { from: browser.ip, ...sent, cookie: formatCookies(browser), csrfToken: browser.csrfToken })

const agent = new Agent({ keepAlive: true })
const maxResponseMs = 60_000

/** Sends a request and returns the response. @throws if the status is neither 200 nor `also` */
async function send(port: number, { path, cookie, csrfToken, body, key, from, also }: Sent): Promise<HttpResponse> {
  const text = body && JSON.stringify(body)
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
  const asked = request({
    host: '127.0.0.1',
    port,
    method: text === undefined ? 'GET' : 'POST',
    path,
    agent,
    headers: {
      host: `localhost:${port}`,
      ...(cookie && { cookie }),
      ...(csrfToken && { 'x-csrftoken': csrfToken }),
      ...(key && { 'idempotency-key': key }),
      ...(from && { 'x-forwarded-for': from }),
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
  })
  asked.once('error', reject)
  asked.setTimeout(maxResponseMs, () => asked.destroy(new Error(`${path} was not answered in ${maxResponseMs} ms`)))
  asked.once('response', (response) => {
    const status = response.statusCode ?? 0
    let answered = ''
    response.setEncoding('utf8').on('data', (part: string) => (answered += part))
    response.once('error', reject).once('end', () => {
      if (status !== 200 && status !== also) reject(new Error(`${path} answered ${status}: ${answered.slice(0, 300)}`))
      else resolve({ status, text: answered, cookies: parseCookies(response.headers['set-cookie'] ?? []) })
    })
  })
  asked.end(text)
  return promise
}

const parseCookies = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => [/^[^=]+/.exec(line)?.[0] ?? '', /^[^=]+=([^;]*)/.exec(line)?.[1] ?? '']))
