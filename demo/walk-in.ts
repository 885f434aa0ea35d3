import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import type { Deps } from '#app/deps.ts'
import { readMailbox } from './mailbox.ts'
import { until } from './until.ts'

/** The running product, as somebody who comes in from the street finds it. */
export type Street = { app: FastifyInstance; deps: Deps }

export type WalkIn = { email: string; full_name: string; password: string; sim: { iccid: string; msisdn: string }; plan: string }

/** Goes through the wizard and pays with a test card; the order is on its way when it returns. @throws when a step is refused */
export async function walkWizard({ app, deps }: Street, { email, full_name, password, sim, plan }: WalkIn): Promise<void> {
  const post = await newVisitor(app)
  const { gateway, publicKey } = deps.bootstrap.card
  const card = { number: '4111 1111 1111 1111', cvc: '737', holderName: full_name, expiryMonth: '03', expiryYear: '2030' }
  await post('/api/activate/sim/', { msisdn: sim.msisdn, sim_serial: sim.iccid.slice(-4), setup_porting: false })
  await post('/api/activate/signup/', { full_name, email, password, marketing_consent: true })
  await post('/api/activate/method/', { method: 'payment' })
  await post('/api/activate/plan/', { plan })
  const sealed = encryptCard(publicKey, card, deps.clock.now().toString({ fractionalSecondDigits: 3 }))
  await post('/api/activate/pay/', { payment_method: '1', use_saved_card: false, [`${gateway}_encrypted`]: sealed }, { 'idempotency-key': randomUUID() })
}

/** Follows the link in the welcome mail, unless that was done before. */
export async function confirmAddress({ app, deps }: Street, email: string): Promise<void> {
  const user = await deps.db.selectFrom('users').select('email_verified_at').where('email', '=', email).executeTakeFirst()
  if (user?.email_verified_at) return
  const link = await until(`the welcome mail to ${email}`, async () => {
    const mails = await readMailbox(deps.db, email, deps.market.phoneRegion)
    return mails.flatMap(({ links }) => links).find((each) => each.includes('/verify/?token='))
  })
  const post = await newVisitor(app)
  await post('/api/account/verify_email/', { token: new URL(link).searchParams.get('token') })
}

type Post = (url: string, body: object, headers?: Record<string, string>) => Promise<void>

/** A browser that has just opened the portal: it comes back with the cookies that it was given. */
async function newVisitor(app: FastifyInstance): Promise<Post> {
  const jar: Record<string, string> = {}
  async function send(options: { method: 'GET' | 'POST'; url: string; headers?: Record<string, string>; payload?: string }): Promise<void> {
    const answer = await app.inject({ ...options, cookies: jar })
    for (const { name, value } of answer.cookies) jar[name] = value
    if (answer.statusCode >= 300) throw new Error(`${options.url} answered ${answer.statusCode}: ${answer.body}`)
  }
  await send({ method: 'GET', url: '/api/account/' })
  return (url, body, headers = {}) =>
    send({ method: 'POST', url, payload: JSON.stringify(body), headers: { 'content-type': 'application/json', 'x-csrftoken': jar['csrftoken'] ?? '', ...headers } })
}
