import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { cookieOf, freshSession } from '#kit/server/session.ts'
import { signIn } from '#kit/server/sign-in.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findUser, insertUser, markVerified, signedIn } from '#features/auth/server/users.store.ts'
import { activate, password as usualPassword } from './journey.ts'
import { newEmail, type Visitor } from './visitor.ts'
import type { World } from './world.ts'

/** A customer's service. `id` is its uuid, and `shortId` is that of its schedule. */
export type CustomersService = {
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
  services: CustomersService[]
}

type Wishes = {
  verified?: boolean
  /** The number of activations over HTTP. With 0 only the account is made. */
  services?: number
  /** Pays by card, which is then saved. This needs a service. Otherwise services are paid by voucher, and no card is saved. */
  card?: boolean
  /** With services, it must be one that the wizard accepts. */
  password?: string
  first_name?: string
  last_name?: string
  email?: string
  plan?: string
}

/** Makes a new customer for a test. With services, the first one's number is their contact phone. */
export async function makeCustomer(world: World, wishes: Wishes = {}): Promise<Customer> {
  const {
    verified = true,
    card = false,
    password = usualPassword,
    first_name = 'Ana',
    last_name = 'Rewi',
    email = newEmail(),
    plan,
  } = wishes
  const wanted = Math.max(wishes.services ?? 0, card ? 1 : 0)
  const answers = async () => ({
    email,
    password,
    full_name: 'Ana Rewi',
    ...(plan && { plan }),
    ...(!card && { voucher: await world.newVoucher(plan) }),
  })
  const trips = []
  if (wanted === 0) await makeAccount(world, { email, password, first_name, last_name })
  else trips.push(await activate(world, await answers()))

  const { id } = await world.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await world.db.updateTable('users').set({ first_name, last_name }).where('id', '=', id).execute()
  if (verified) await transact(world.db, (trx) => markVerified(trx, id, email, world.deps.clock.now()))
  const visitor = await enterAs(world, id)

  while (trips.length < wanted) trips.push(await activate({ ...world, visitor: () => visitor }, await answers()))
  const services: CustomersService[] = []
  for (const { sim, orderCode } of trips) services.push({ ...(await findService(world, sim.iccid)), orderCode, sim })
  return { visitor, id, email, password, first_name, last_name, services }
}

export type Subscriber = Customer & { service: CustomersService }

export async function makeSubscriber(world: World, wishes: Wishes = {}): Promise<Subscriber> {
  const customer = await makeCustomer(world, { services: 1, ...wishes })
  const [service] = customer.services
  if (!service) throw new Error('a service was asked for')
  return { ...customer, service }
}

export async function loginAs(
  world: Pick<World, 'visitor'>,
  { email, password }: Pick<Customer, 'email' | 'password'>,
): Promise<Visitor> {
  const visitor = world.visitor()
  const { status, body } = await visitor.post('/api/account/login/', { username: email, password })
  if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`)
  return visitor
}

/** Signs a customer in without checking their password, which takes most of the time of making a customer. */
export async function enterAs({ db, deps, visitor: newcomer }: World, userId: string): Promise<Visitor> {
  const visit: Visit = {
    session: freshSession(deps.secrets),
    user: null,
    device: null,
    userAgent: 'node',
    clientIp: '127.0.0.1',
    inProcess: false,
  }
  const { session, device } = await transact(db, async (trx) => {
    const account = await findUser(trx, userId)
    if (!account) throw new Error(`there is no account ${userId}`)
    const entered = await signIn(trx, deps, visit, signedIn(account))
    await audit(trx, deps.clock, { event: 'login', userId, sessionId: entered.session.id })
    return entered
  })
  const visitor = newcomer()
  const cookies = {
    fantail: cookieOf(deps.secrets, session),
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
