import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { url, clients } = workerData as { url: string; clients: number }
const agent = new Agent({ keepAlive: true, maxSockets: clients })
/** Milliseconds between two attempts by the same client. The clients ignore `Retry-After`. */
const intervalMs = 100
const maxResponseMs = 30_000

const over = new AbortController()
const times: number[] = []
const statuses: Record<string, number> = {}

type Answer = { status: string; cookies: string[] }

function call(path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve) => {
    const call = request(new URL(path, url), { agent, headers, method: body ? 'POST' : 'GET', timeout: maxResponseMs })
    call.on('response', (response) => {
      response.resume()
      const cookies = (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '')
      response.on('close', () => resolve({ status: String(response.statusCode), cookies }))
    })
    call.on('timeout', () => call.destroy(new Error('too late')))
    call.on('error', ({ message }) => resolve({ status: `none: ${message}`, cookies: [] }))
    call.end(body)
  })
}

async function tryPasswords(client: number): Promise<void> {
  const from = { 'x-forwarded-for': `198.51.${100 + Math.floor(client / 250)}.${1 + (client % 250)}` }
  let cookies: string[] = []
  for (let count = 0; !over.signal.aborted; count++) {
    if (cookies.length === 0) ({ cookies } = await call('/api/account/', from))
    const token = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? ''
    const began = performance.now()
    const { status } = await call(
      '/api/account/login/',
      { ...from, cookie: cookies.join('; '), 'x-csrftoken': token, 'content-type': 'application/json' },
      JSON.stringify({ username: `flood-${client}-${count}@example.com`, password: `not the password ${count}` }),
    )
    times.push(performance.now() - began)
    statuses[status] = (statuses[status] ?? 0) + 1
    await pause(intervalMs)
  }
}

const floodingClients = Promise.all(Array.from({ length: clients }, (_, client) => tryPasswords(client)))
parentPort?.once('message', async () => {
  over.abort()
  await floodingClients
  agent.destroy()
  const sortedTimes = times.toSorted((one, other) => one - other)
  const computePercentile = (share: number): number =>
    Math.round(sortedTimes[Math.floor(sortedTimes.length * share)] ?? 0)
  const report = { statuses, p50: computePercentile(0.5), p99: computePercentile(0.99) }
  parentPort?.postMessage(report) // oxlint-disable-line unicorn/require-post-message-target-origin -- no window
})
