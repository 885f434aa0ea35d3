import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { buildCookieValue, generateSession } from '#kit/server/session.ts'
import { signIn } from '#kit/server/sign-in.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findUser, insertUser, markEmailVerified, toSignedInUser } from '#features/auth/server/users.store.ts'
import { activate, password as usualPassword } from './activation-journey.ts'
import { newEmail, type Visitor } from './visitor.ts'
import type { World } from './world.ts'

/** A service that belongs to a customer. `id` is the service's uuid, and `shortId` is its schedule's short id. */
export type CustomerService = {
  id: string
  msisdn: string
  shortId: string
  orderCode: string
  sim: { msisdn: string; sim_serial: string; iccid: string }
}

export type Customer = {
  visitor: Visitor
  id: string
  email: string
  password: string
  first_name: string
  last_name: string
  services: CustomerService[]
}

type CustomerOptions = {
  verified?: boolean
  /** How many SIMs the customer activates over HTTP. With 0, only the account is created. */
  services?: number
  /**
   * Whether the customer pays by card, which saves the card and requires at least one service. Otherwise, services are paid with vouchers
   * and no card is saved.
   */
  card?: boolean
  /** The customer's password. If the customer has services, the activation wizard has to accept it. */
  password?: string
  first_name?: string
  last_name?: string
  email?: string
  plan?: string
}

/** Creates a new customer for a test. If the customer has any services, the first one's number becomes the contact phone. */
export async function makeCustomer(world: World, wishes: CustomerOptions = {}): Promise<Customer> {
  const {
    verified = true,
    card = false,
    password = usualPassword,
    first_name = 'Ana',
    last_name = 'Rewi',
    email = newEmail(),
    plan,
  } = wishes
  const serviceCount = Math.max(wishes.services ?? 0, card ? 1 : 0)
  const buildAnswers = async () => ({
    email,
    password,
    full_name: 'Ana Rewi',
    ...(plan && { plan }),
    ...(!card && { voucher: await world.newVoucher(plan) }),
  })
  const trips = []
  if (serviceCount === 0) await makeAccount(world, { email, password, first_name, last_name })
  else trips.push(await activate(world, await buildAnswers()))

  const { id } = await world.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await world.db.updateTable('users').set({ first_name, last_name }).where('id', '=', id).execute()
  if (verified) await transact(world.db, (trx) => markEmailVerified(trx, id, email, world.deps.clock.now()))
  const visitor = await createCustomerSession(world, id)

  while (trips.length < serviceCount)
    trips.push(await activate({ ...world, visitor: () => visitor }, await buildAnswers()))
  const services: CustomerService[] = []
  for (const { sim, orderCode } of trips) services.push({ ...(await findService(world, sim.iccid)), orderCode, sim })
  return { visitor, id, email, password, first_name, last_name, services }
}

export type Subscriber = Customer & { service: CustomerService }

export async function makeSubscriber(world: World, wishes: CustomerOptions = {}): Promise<Subscriber> {
  const customer = await makeCustomer(world, { services: 1, ...wishes })
  const [service] = customer.services
  if (!service) throw new Error('a service was asked for')
  return { ...customer, service }
}

export async function logInAs(
  world: Pick<World, 'visitor'>,
  { email, password }: Pick<Customer, 'email' | 'password'>,
): Promise<Visitor> {
  const visitor = world.visitor()
  const { status, body } = await visitor.post('/api/account/login/', { username: email, password })
  if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`)
  return visitor
}

/** Signs in a customer without a login request. */
export async function createCustomerSession({ db, deps, visitor: newcomer }: World, userId: string): Promise<Visitor> {
  const visit: RequestContext = {
    session: generateSession(deps.secrets),
    user: null,
    device: null,
    userAgent: 'node',
    clientIp: '127.0.0.1',
    inProcess: false,
  }
  const { session, device } = await transact(db, async (trx) => {
    const account = await findUser(trx, userId)
    if (!account) throw new Error(`there is no account ${userId}`)
    const signInResult = await signIn(trx, deps, visit, toSignedInUser(account))
    await audit(trx, deps.clock, { event: 'login', userId, sessionId: signInResult.session.id })
    return signInResult
  })
  const visitor = newcomer()
  const cookies = {
    fantail: buildCookieValue(deps.secrets, session),
    fantail_device: device ?? '',
    csrftoken: session.csrfToken,
  }
  for (const [name, value] of Object.entries(cookies)) visitor.setCookie(name, value)
  return visitor
}

async function makeAccount(
  world: World,
  { email, password, first_name, last_name }: Record<'email' | 'password' | 'first_name' | 'last_name', string>,
): Promise<void> {
  const account = {
    email,
    password_hash: await world.deps.passwords.hash(password, email),
    first_name,
    last_name,
    marketing_consent: false,
  }
  await transact(world.db, (trx) => insertUser(trx, account, world.deps.clock.now()))
}

async function findService(world: World, iccid: string): Promise<{ id: string; msisdn: string; shortId: string }> {
  return world.db
    .selectFrom('services')
    .innerJoin('schedules', 'schedules.service_id', 'services.id')
    .select(['services.id', 'services.msisdn', 'schedules.short_id as shortId'])
    .where('services.iccid', '=', iccid)
    .executeTakeFirstOrThrow()
}
