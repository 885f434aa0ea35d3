import type { FastifyInstance } from 'fastify'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Db } from '#kit/server/db.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import type { Deps } from '#app/deps.ts'
import { confirmAddress, walkWizard } from './walk-in.ts'
import { simPack, type TellNetwork } from './stock.ts'
import { until } from './until.ts'

/** Somebody who has been here before. Each of their services is made by the wizard, out of a SIM pack that is kept for it. */
type DemoCustomer = {
  email: string
  full_name: string
  about: string
  services: { pack: number; plan: string }[]
  /** Whether they have followed the link in their welcome mail. */
  confirmed: boolean
}

/** Everybody knows it: these are the demo's customers. */
const password = 'kereru-2-tui'

// The packs have positions far behind those of the shelf, which grows.
const customers: DemoCustomer[] = [
  { email: 'mere@fantail.example', full_name: 'Mere Walker', about: 'One service and a saved card', services: [{ pack: 9_001, plan: 'plan-30-15gb' }], confirmed: true },
  {
    email: 'sione@fantail.example',
    full_name: 'Sione Fa’asavalu',
    about: 'Has several services',
    services: [
      { pack: 9_002, plan: 'plan-90-25gb' },
      { pack: 9_003, plan: 'plan-30-5gb' },
    ],
    confirmed: true,
  },
  { email: 'olivia@fantail.example', full_name: 'Olivia Harris', about: 'Address still unverified', services: [{ pack: 9_004, plan: 'plan-30-5gb' }], confirmed: false },
]

export type CustomersWorld = { app: FastifyInstance; deps: Deps; market: Market; tellNetwork: TellNetwork }

/**
 * Makes the customers that are still missing, each as they would do it themselves, so that gateway, network, invoices and
 * mailbox agree. Whatever was begun before goes on where it was: a SIM pack is activated once. One that cannot be made
 * is told in the log and tried again at the next start.
 */
export async function makeCustomers(world: CustomersWorld): Promise<void> {
  const { db, log } = world.deps
  const there = new Set((await db.selectFrom('demo_customers').select('position').execute()).map(({ position }) => position))
  const missing = customers.map((customer, position) => ({ customer, position })).filter(({ position }) => !there.has(position))
  if (missing.length === 0) return
  await stockPacks(world, missing.flatMap(({ customer }) => customer.services.map(({ pack }) => simPack(pack, world.market))))
  const outcomes = await Promise.allSettled(missing.map(({ customer, position }) => makeCustomer(world, customer, position)))
  for (const outcome of outcomes) if (outcome.status === 'rejected') log.warn({ reason: String(outcome.reason) }, 'a customer of the demo could not be made')
}

async function stockPacks({ deps, tellNetwork }: CustomersWorld, packs: { iccid: string; msisdn: string }[]): Promise<void> {
  const known = await deps.db.selectFrom('sim_packs').select('iccid').where('iccid', 'in', packs.map(({ iccid }) => iccid)).execute()
  const fresh = packs.filter(({ iccid }) => !known.some((row) => row.iccid === iccid))
  if (fresh.length === 0) return
  await tellNetwork(fresh.map((pack) => ({ ...pack, behaviour: 'ok' as const })))
  await importSims(deps.db, fresh)
}

async function makeCustomer(world: CustomersWorld, customer: DemoCustomer, position: number): Promise<void> {
  const { deps, market } = world
  for (const { pack, plan } of customer.services) await haveService(world, customer, simPack(pack, market), plan)
  if (customer.confirmed) await confirmAddress(world, customer.email)
  const { id, password_hash } = await deps.db.selectFrom('users').select(['id', 'password_hash']).where('email', '=', customer.email).executeTakeFirstOrThrow()
  await deps.db
    .insertInto('demo_customers')
    .values({ position, user_id: id, password, password_hash, about: customer.about })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Activates a SIM pack, unless an earlier start has done it or is still at it. */
async function haveService(world: CustomersWorld, customer: DemoCustomer, sim: { iccid: string; msisdn: string }, plan: string): Promise<void> {
  const { db } = world.deps
  if (!(await orderHolding(db, sim.iccid))) await walkWizard(world, { ...customer, password, sim, plan })
  await until(`the service of ${sim.msisdn}`, async () => (await orderHolding(db, sim.iccid))?.state === 'completed')
}

const orderHolding = (db: Db, iccid: string) =>
  db.selectFrom('sim_packs').innerJoin('orders', 'orders.id', 'sim_packs.order_id').select('orders.state').where('sim_packs.iccid', '=', iccid).executeTakeFirst()

/** Those whom a newcomer can log in as now, by the names and addresses that they have now. */
export const readCustomers = (db: Db): Promise<{ email: string; password: string; first_name: string; about: string }[]> =>
  db
    .selectFrom('demo_customers')
    .innerJoin('users', 'users.id', 'demo_customers.user_id')
    .select(['users.email', 'demo_customers.password', 'users.first_name', 'about'])
    .whereRef('users.password_hash', '=', 'demo_customers.password_hash')
    .orderBy('position')
    .execute()
