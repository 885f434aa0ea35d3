import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import type { Deps } from '#app/deps.ts'
import { readMailbox } from './mailbox.ts'
import { until } from './until.ts'

/** The running product, reached as a browser reaches it. */
type Portal = { app: FastifyInstance; deps: Deps }

type NewCustomer = {
  email: string
  full_name: string
  password: string
  sim: { iccid: string; msisdn: string }
  plan: string
}

/** Goes through the wizard and pays with a test card; the order is on its way when it returns. @throws when a step is refused */
export async function walkWizard(
  { app, deps }: Portal,
  { email, full_name, password, sim, plan }: NewCustomer,
): Promise<void> {
  const { send } = await newVisitor(app)
  const post = (step: string, body: object, headers = {}) => send('POST', `/api/activate/${step}/`, body, headers)
  const { gateway, publicKey } = deps.bootstrap.card
  const card = {
    number: '4111 1111 1111 1111',
    cvc: '737',
    holderName: full_name,
    expiryMonth: '03',
    expiryYear: '2030',
  }
  await post('sim', { msisdn: sim.msisdn, sim_serial: sim.iccid.slice(-4), setup_porting: false })
  await post('signup', { full_name, email, password, marketing_consent: true })
  await post('method', { method: 'payment' })
  await post('plan', { plan })
  const sealed = encryptCard(publicKey, card, deps.clock.now().toString({ fractionalSecondDigits: 3 }))
  await post(
    'pay',
    { payment_method: '1', use_saved_card: false, [`${gateway}_encrypted`]: sealed },
    { 'idempotency-key': randomUUID() },
  )
}

/** Follows the link in the welcome mail and says the password, unless that was done before; has another one sent when that is too old. */
export async function confirmEmail(portal: Portal, who: Pick<NewCustomer, 'email' | 'password'>): Promise<void> {
  const { email, password } = who
  const { db, market } = portal.deps
  const user = await db.selectFrom('users').select('email_verified_at').where('email', '=', email).executeTakeFirst()
  if (user?.email_verified_at) return
  const newest = (besides?: string) =>
    until(`the mail to ${email} with the link`, async () => {
      const mails = await readMailbox(db, email, { region: market.phoneRegion, donorTexts: [] })
      return mails.flatMap(({ links }) => links).find((each) => each.includes('/verify/?token=') && each !== besides)
    })
  const follow = async (link: string): Promise<void> => {
    const { send } = await newVisitor(portal.app)
    await send('POST', '/api/account/verify_email/', { token: new URL(link).searchParams.get('token'), password })
  }
  const first = await newest()
  await follow(first).catch(async () => {
    await visit(portal, who, ({ send }) => send('GET', '/api/account/resend_verification/'))
    await follow(await newest(first))
  })
}

/** Logs in for as long as the visit takes, and out again. @throws when a call is refused */
export async function visit<T>(
  { app }: Portal,
  { email, password }: Pick<NewCustomer, 'email' | 'password'>,
  stay: (visitor: Visitor) => Promise<T>,
): Promise<T> {
  const visitor = await newVisitor(app)
  await visitor.send('POST', '/api/account/login/', { username: email, password })
  const result = await stay(visitor)
  await visitor.send('POST', '/api/account/logout/', {})
  return result
}

export type Visitor = {
  /** The body of a good answer, which the caller knows the shape of. */
  send<T>(method: 'GET' | 'POST' | 'PUT', url: string, body?: object, headers?: Record<string, string>): Promise<T>
}

/** A browser that has just opened the portal: it comes back with the cookies that it was given. */
async function newVisitor(app: FastifyInstance): Promise<Visitor> {
  const jar: Record<string, string> = {}
  async function send<T>(
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const answer = await app.inject({
      method,
      url,
      cookies: jar,
      headers: {
        'x-csrftoken': jar['csrftoken'] ?? '',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
    for (const { name, value } of answer.cookies) jar[name] = value
    if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json()
  }
  await send('GET', '/api/account/')
  return { send }
}
