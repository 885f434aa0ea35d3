import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { getCACertificates, rootCertificates, setDefaultCACertificates } from 'node:tls'
import { setTimeout as pause } from 'node:timers/promises'
import { sealCard } from '#quality/support/cards.ts'
import { activate, password } from '#quality/support/activation-journey.ts'
import { newVisitor, type Visitor } from '#quality/support/visitor.ts'

export type Customer = { visitor: Visitor; email: string; orderCode: string }

/** Makes this process trust the certificates in the file as well as the public certificate authorities. */
export const trust = (file: string): void => setDefaultCACertificates([...rootCertificates, readFileSync(file, 'utf8')])

export function createCustomers({
  url,
  publicKey,
  sims,
  plan,
}: {
  url: string
  publicKey: string
  plan: string
  sims: { iccid: string; msisdn: string }[]
}) {
  const place = {
    visitor: () => newVisitor(url),
    async newSim() {
      const sim = sims.shift()
      if (!sim) throw new Error('there are no more SIM packs')
      return { ...sim, sim_serial: sim.iccid.slice(-4) }
    },
    card: (holderName = 'Ana Rewi') => sealCard(publicKey, Temporal.Now.instant(), holderName),
  }
  async function logIn(email: string): Promise<Visitor> {
    const visitor = newVisitor(url)
    const answer = await visitor.post('/api/account/login/', { username: email, password })
    if (answer.status !== 200) throw new Error(`log in answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return visitor
  }

  return {
    /** Activates a SIM for a new customer and logs the customer in. @throws if the activation fails */
    async activates(answers: { voucher?: string } = {}): Promise<Customer> {
      const { done, email, orderCode } = await activate(place, { plan, ...answers })
      if (done.state !== 'SUCCESSFUL') throw new Error(`the activation ended as ${done.state}`)
      return { visitor: await logIn(email), email, orderCode }
    },
    logIn,
    keepComing: () => startContinuousRequests(url),
  }
}

/**
 * Starts visitors who keep sending GET and POST requests. The returned function stops them, and returns how many requests they sent and
 * which errors occurred. Each request uses a new connection and is never retried.
 */
function startContinuousRequests(url: string): () => Promise<{ calls: number; wrong: string[] }> {
  const wrong: string[] = []
  let calls = 0
  const over = new AbortController()
  const one = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const method of ['GET', 'POST'] as const) {
        calls++
        await call(url, method).catch((error: Error) => void wrong.push(`${method} ${error.message}`))
      }
      await pause(20)
    }
  }
  const all = Promise.all(Array.from({ length: 6 }, one))
  return async () => {
    over.abort()
    await all
    return { calls, wrong }
  }
}

/**
 * Reads a page, or sends a POST request that Fantail rejects because it has no CSRF token.
 * @throws unless the response comes from Fantail itself and its status is below 500
 */
async function call(url: string, method: 'GET' | 'POST'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const path = method === 'GET' ? '/login/' : '/api/account/logout/'
  const sent = request(new URL(path, url), { method, agent: false, ca: getCACertificates('default') }, resolve)
  sent.on('error', reject).end(method === 'POST' ? '{}' : undefined)
  const answer = await promise
  await answer.toArray()
  const status = answer.statusCode ?? 0
  if (status >= 500 || !('x-request-id' in answer.headers)) throw new Error(`answered ${status}`)
}
