import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import type { Deps } from '#app/deps.ts'
import { readMailbox } from './mailbox.ts'
import { until } from './until.ts'

type Portal = { app: FastifyInstance; deps: Deps }

type NewCustomer = {
  email: string
  full_name: string
  password: string
  sim: { iccid: string; msisdn: string }
  plan: string
}

/** The order is being processed when this returns. @throws if a step is rejected */
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

/** @throws if a call is rejected */
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
  send<T>(method: 'GET' | 'POST' | 'PUT', url: string, body?: object, headers?: Record<string, string>): Promise<T>
}

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
