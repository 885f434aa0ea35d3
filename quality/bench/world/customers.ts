import { activate, password } from '#quality/support/activation-journey.ts'
import { waitForVerifyTokens } from '#quality/support/verify-link.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import type { SimStock } from './sim-stock.ts'

export type BenchCustomer = { visitor: Visitor; email: string; cookie: string; uuid: string; orderCode: string }

const concurrency = 4

export async function makeCustomers(shelf: SimStock, count: number): Promise<BenchCustomer[]> {
  const made: BenchCustomer[] = []
  let begun = 0
  const walk = async (): Promise<void> => {
    while (begun++ < count) made.push(await makeCustomer(shelf))
  }
  await Promise.all(Array.from({ length: concurrency }, walk))
  return made
}

async function makeCustomer(shelf: SimStock): Promise<BenchCustomer> {
  const { email, done, orderCode, visitor: buyer } = await activate(shelf)
  if (done.state !== 'SUCCESSFUL') throw new Error(`an activation ended as ${done.state}`)
  const [token] = await waitForVerifyTokens({ mailTo: (address) => readMailTo(buyer, address) }, email)
  // Confirm the address in the browser that placed the order, where no password is required.
  await postOrThrow(buyer, '/api/account/verify_email/', { token })
  const visitor = shelf.visitor()
  await postOrThrow(visitor, '/api/account/login/', { username: email, password })
  const [uuid = ''] = Object.keys((await visitor.get('/api/services/')).body)
  // Request the usage once. Pages include the network's latest response, and each page makes Fantail refresh it.
  await visitor.get(`/api/account/usage_summary/${uuid}/`)
  const cookie = visitor
    .cookies()
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return { visitor, email, cookie, uuid, orderCode }
}

const readMailTo = async (visitor: Visitor, address: string) =>
  (await visitor.get(`/demo/api/messages/?to=${encodeURIComponent(address)}`)).body

async function postOrThrow(visitor: Visitor, path: string, body: object): Promise<void> {
  const answer = await visitor.post(path, body)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}
