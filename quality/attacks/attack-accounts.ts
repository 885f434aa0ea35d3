import { toDate, realNow } from '#kit/server/clock.ts'
import { type Customer, createCustomerSession, makeCustomer } from '#quality/support/customer.ts'
import { makeEmailChanger } from '#quality/support/email-changer.ts'
import { requestResetLink } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForVerifyTokens } from '#quality/support/verify-link.ts'
import { newVisitor, type Visitor } from '#quality/support/visitor.ts'
import type { World } from '#quality/support/world.ts'

export type ParameterValues = Record<string, string>

export type AttackAccounts = {
  /**
   * A confirmed customer with services, a saved card, invoices, and pending changes. Nobody else has the links that confirm these changes.
   */
  victim: Customer & {
    has: ParameterValues
    links: { verify: string; reset: { uid: string; token: string }; phone: string; address: string }
  }
  /**
   * Another confirmed customer, who owns the same kinds of things as the victim. Mallory sends valid requests that name the victim's
   * things.
   */
  mallory: Customer & { has: ParameterValues }
  unverified: Customer & { verifyToken: string }
  /** Visitors holding sessions of Mallory's that are no longer valid: one was logged out, the other has expired. */
  ended: [how: string, visitor: Visitor][]
  stranger(): Promise<Visitor>
  private: string[]
}

export async function createAttackAccounts(world: World): Promise<AttackAccounts> {
  const emailChanger = await makeEmailChanger(world, {
    card: true,
    services: 2,
    first_name: 'Hinewai',
    last_name: 'Wihongi',
  })
  await emailChanger.ask()
  await emailChanger.enter(await emailChanger.pin())
  const address = await emailChanger.token()
  const phone = await requestPhoneChange(world, emailChanger, 1)
  const reset = await requestResetLink(world, emailChanger.email)
  const attackingCustomer = await makeCustomer(world, { card: true, services: 2 })
  const unverifiedCustomer = await makeCustomer(world, { verified: false })
  await unverifiedCustomer.visitor.get('/api/account/resend_verification/', {
    'x-csrftoken': unverifiedCustomer.visitor.cookie('csrftoken') ?? '',
  })
  const [verify = ''] = await waitForVerifyTokens(world, unverifiedCustomer.email)

  return {
    victim: {
      ...emailChanger,
      has: await readParameterValues(world, emailChanger),
      links: { verify, reset, phone, address },
    },
    mallory: { ...attackingCustomer, has: await readParameterValues(world, attackingCustomer) },
    unverified: { ...unverifiedCustomer, verifyToken: verify },
    ended: await createEndedSessions(world, attackingCustomer),
    stranger: () => createAnonymousVisitor(world),
    private: [
      emailChanger.email,
      ...emailChanger.services.flatMap(({ msisdn, orderCode }) => [msisdn, orderCode]),
      'Wihongi',
    ],
  }
}

export async function createAnonymousVisitor(world: World): Promise<Visitor> {
  const visitor = newVisitor(world.url)
  await visitor.get('/api/account/')
  return visitor
}

export async function requestPhoneChange(
  world: World,
  { visitor, email, services, first_name, last_name }: Customer,
  at: number,
): Promise<string> {
  const tokens = async () =>
    (await world.mailTo(email)).flatMap(({ links }) =>
      links.flatMap((link) => /phone-success\/\?token=([\w-]+)/.exec(link)?.[1] ?? []),
    )
  const previousTokenCount = (await tokens()).length
  const { status, body } = await visitor.post('/api/account/update_details/', {
    first_name,
    last_name,
    phone: services[at]?.msisdn,
    email,
  })
  if (status !== 200) throw new Error(`update_details answered ${status}: ${JSON.stringify(body)}`)
  return pollUntil(async () => {
    const now = await tokens()
    return now.length > previousTokenCount && now[0]
  })
}

async function readParameterValues(world: World, { id, services, visitor }: Customer): Promise<ParameterValues> {
  const [service, other] = services
  // Use a separate session, because the one already in use must survive the attack.
  await createCustomerSession(world, id)
  const session = await world.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  if (!service || !other) throw new Error('two services were asked for')
  await visitor.get('/api/account/')
  return {
    uuid: service.id,
    schedule: service.shortId,
    scheduleId: service.shortId,
    orderId: service.orderCode,
    orderCode: service.orderCode,
    id: session.id,
    phone: other.msisdn,
    user_id: id,
  }
}

async function createEndedSessions(world: World, customer: Customer): Promise<[string, Visitor][]> {
  const [left, over] = [
    await createCustomerSession(world, customer.id),
    await createCustomerSession(world, customer.id),
  ]
  for (const visitor of [left, over]) await visitor.get('/api/account/')
  const cookies = left.cookies()
  await left.post('/api/account/logout/')
  for (const [name, value] of cookies) left.setCookie(name, value)
  const newestSession = await world.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', customer.id)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  await world.db
    .updateTable('sessions')
    .set({ expires_at: toDate(realNow().subtract({ hours: 1 })) })
    .where('id', '=', newestSession.id)
    .execute()
  return [
    ['logged out', left],
    ['too old', over],
  ]
}
