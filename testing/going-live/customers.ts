import { readFileSync } from 'node:fs'
import { rootCertificates, setDefaultCACertificates } from 'node:tls'
import { setTimeout as pause } from 'node:timers/promises'
import { sealCard } from '#testing/cards.ts'
import { activate, password } from '#testing/journey.ts'
import { type Answer, newVisitor, type Visitor } from '#testing/visitor.ts'

/** `visitor`: a browser in which they are signed in. */
export type Customer = { visitor: Visitor; email: string; orderCode: string }

/** Whom this process believes from now on, beside the world's authorities. */
export const trust = (file: string): void => setDefaultCACertificates([...rootCertificates, readFileSync(file, 'utf8')])

/** Customers who come to the portal through its proxy; SIM packs are taken from a list, each once. */
export function createCustomers({
  url,
  publicKey,
  sims,
}: {
  url: string
  publicKey: string
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
    /** @throws when it does not end well */
    async activates(answers: { voucher?: string } = {}): Promise<Customer> {
      const { done, email, orderCode } = await activate(place, answers)
      if (done.state !== 'SUCCESSFUL') throw new Error(`the activation ended as ${done.state}`)
      return { visitor: await logIn(email), email, orderCode }
    },
    logIn,
    /** Visitors read and send until they are told to stop; then it answers what went wrong of how many calls. */
    keepComing() {
      const wrong: string[] = []
      let calls = 0
      const over = new AbortController()
      const note = async (what: string, call: () => Promise<unknown>): Promise<void> => {
        calls++
        await call().catch((error: Error) => void wrong.push(`${what}: ${error.message} ${String(error.cause ?? '')}`))
      }
      const one = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const visitor = newVisitor(url)
          await note('a page', async () => expectProduct(await visitor.get('/login/')))
          await note('a change', async () => expectProduct(await visitor.post('/api/account/logout/')))
          await pause(20)
        }
      }
      const all = Promise.all(Array.from({ length: 6 }, one))
      return async () => {
        over.abort()
        await all
        return { calls, wrong }
      }
    },
  }
}

/** The product itself has answered, and was not at a loss. */
function expectProduct({ status, headers }: Answer): void {
  if (status >= 500 || !headers.has('x-request-id')) throw new Error(`answered ${status}`)
}
