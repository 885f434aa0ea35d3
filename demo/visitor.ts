import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import type { Deps } from '#app/deps.ts'
import { readMailbox } from './mailbox.ts'
import { pollUntil } from './poll-until.ts'

type DemoPortal = { app: FastifyInstance; deps: Deps }

type NewCustomer = {
  email: string
  full_name: string
  password: string
  sim: { iccid: string; msisdn: string }
  plan: string
}

/**
 * Activates a SIM through the same API requests as the wizard. The order is being processed when this returns.
 * @throws if a step is rejected
 */
export async function activateThroughWizard(
  { app, deps }: DemoPortal,
  { email, full_name, password, sim, plan }: NewCustomer,
): Promise<void> {
  const { send } = await createVisitor(app)
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
  const encryptedCard = encryptCard(publicKey, card, deps.clock.now().toString({ fractionalSecondDigits: 3 }))
  await post(
    'pay',
    { payment_method: '1', use_saved_card: false, [`${gateway}_encrypted`]: encryptedCard },
    { 'idempotency-key': randomUUID() },
  )
}

export async function confirmEmail(portal: DemoPortal, who: Pick<NewCustomer, 'email' | 'password'>): Promise<void> {
  const { email, password } = who
  const { db, market } = portal.deps
  const user = await db.selectFrom('users').select('email_verified_at').where('email', '=', email).executeTakeFirst()
  if (user?.email_verified_at) return
  const waitForNewestLink = (besides?: string) =>
    pollUntil(`the mail to ${email} with the link`, async () => {
      const mails = await readMailbox(db, email, { region: market.phoneRegion, donorTexts: [] })
      return mails.flatMap(({ links }) => links).find((each) => each.includes('/verify/?token=') && each !== besides)
    })
  const openConfirmationLink = async (link: string): Promise<void> => {
    const { send } = await createVisitor(portal.app)
    await send('POST', '/api/account/verify_email/', { token: new URL(link).searchParams.get('token'), password })
  }
  const first = await waitForNewestLink()
  await openConfirmationLink(first).catch(async () => {
    await withLoggedInVisitor(portal, who, ({ send }) => send('GET', '/api/account/resend_verification/'))
    await openConfirmationLink(await waitForNewestLink(first))
  })
}

/** Logs a visitor in, passes the visitor to a function, and logs out again. @throws if a request is rejected */
export async function withLoggedInVisitor<T>(
  { app }: DemoPortal,
  { email, password }: Pick<NewCustomer, 'email' | 'password'>,
  stay: (visitor: Visitor) => Promise<T>,
): Promise<T> {
  const visitor = await createVisitor(app)
  await visitor.send('POST', '/api/account/login/', { username: email, password })
  const result = await stay(visitor)
  await visitor.send('POST', '/api/account/logout/', {})
  return result
}

export type Visitor = {
  send<T>(method: 'GET' | 'POST' | 'PUT', url: string, body?: object, headers?: Record<string, string>): Promise<T>
}

async function createVisitor(app: FastifyInstance): Promise<Visitor> {
  const cookieJar: Record<string, string> = {}
  async function send<T>(
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const answer = await app.inject({
      method,
      url,
      cookies: cookieJar,
      headers: {
        'x-csrftoken': cookieJar['csrftoken'] ?? '',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
    for (const { name, value } of answer.cookies) cookieJar[name] = value
    if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json()
  }
  await send('GET', '/api/account/')
  return { send }
}
