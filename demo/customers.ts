import { realNow } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import {
  activatePlan,
  requestTransfer,
  confirmEmailAddress,
  type Customer,
  refundFirstOrder,
  awaitFailedTransfer,
  type StoryStep,
  type StoryContext,
  enableAutoRenewal,
} from './story.ts'

/**
 * A demo customer. In `past`, each entry's `ago` says how long ago its steps happened, as an ISO 8601 duration in the market's time zone.
 */
type DemoCustomer = { email: string; full_name: string; about: string; past: [ago: string, ...steps: StoryStep[]][] }

export const demoHistoryDuration = 'P40D'

/** The password shared by all demo customers. It is not a secret. */
const password = 'kereru-2-tui'

// A demo customer is identified by their position in this list. Their SIM packs have positions far above those of the demo's stock.
const customers: DemoCustomer[] = [
  {
    email: 'mere@customer.example',
    full_name: 'Mere Walker',
    about: 'One service with a saved card and auto-renewal',
    past: [['P12D', activatePlan(9_001, { days: 30, gb: 15 }), confirmEmailAddress, enableAutoRenewal]],
  },
  {
    email: 'sione@customer.example',
    full_name: 'Sione Fa’asavalu',
    about: 'Several services; the longest plan is in its second cycle',
    past: [
      [demoHistoryDuration, activatePlan(9_002, { days: 90, gb: 25 }), confirmEmailAddress],
      ['P12D', activatePlan(9_003, { days: 30, gb: 5 })],
      ['P3D', activatePlan(9_007, { days: 7, gb: 1.5 })],
    ],
  },
  {
    email: 'olivia@customer.example',
    full_name: 'Olivia Harris',
    about: 'Email address not confirmed yet',
    past: [['P3D', activatePlan(9_004, { days: 30, gb: 5 })]],
  },
  {
    email: 'tama@customer.example',
    full_name: 'Tama Brown',
    about: 'Prepay Plan expired a few days ago; the number is still reserved',
    past: [['P12D', activatePlan(9_005, { days: 7, gb: 5 }, { now: true }), confirmEmailAddress]],
  },
  {
    email: 'priya@customer.example',
    full_name: 'Priya Sharma',
    about: 'A failed number transfer, not acknowledged yet',
    past: [
      ['P12D', activatePlan(9_006, { days: 30, gb: 25 }), confirmEmailAddress],
      ['P3D', requestTransfer],
      ['P2DT19H', awaitFailedTransfer],
    ],
  },
  {
    email: 'hemi@customer.example',
    full_name: 'Hēmi Kōwhai',
    about: 'Refunded: has an invoice and a credit note',
    past: [
      ['P12D', activatePlan(9_008, { days: 30, gb: 5 }), confirmEmailAddress],
      ['P3D', refundFirstOrder],
    ],
  },
]

type CustomersWorld = StoryContext & {
  timePasses(until: Temporal.Instant): Promise<void>
}

/**
 * Creates any missing demo customers by replaying what they would have done, so that gateway, network, invoices and mailbox all agree. If
 * the demo's clock is in the past, it advances from action to action. Otherwise it stays unchanged and all actions happen now. Customers
 * left unfinished by an earlier start are completed. If a customer cannot be created, the error is logged and the next start tries again.
 */
export async function createCustomers(world: CustomersWorld): Promise<void> {
  const { db, log, clock } = world.deps
  const existingPositions = new Set(
    (await db.selectFrom('demo_customers').select('position').execute()).map(({ position }) => position),
  )
  const pendingCustomers = customers
    .map((customer, position) => ({ customer, position, failed: false }))
    .filter(({ position }) => !existingPositions.has(position))
  const today = realNow()
  const moments = new Map(
    pendingCustomers
      .flatMap(({ customer }) => customer.past)
      .map(([ago]) => [ago, instantBefore(ago, world.market.zone, today)]),
  )
  for (const [ago, moment] of [...moments].toSorted(([, a], [, b]) => Temporal.Instant.compare(a, b))) {
    if (clock.offset() < 0) await world.timePasses(moment)
    await Promise.all(
      pendingCustomers.map(async (life) => {
        const { customer, position } = life
        const [, ...steps] = customer.past.find(([each]) => each === ago) ?? [ago]
        try {
          for (const step of life.failed ? [] : steps) await step(world, toCustomer(customer), moment)
          if (!life.failed && customer.past.at(-1)?.[0] === ago) await recordCustomer(db, customer, position)
        } catch (error) {
          life.failed = true
          log.warn({ reason: String(error) }, 'a demo customer could not be created')
        }
      }),
    )
  }
}

export const instantBefore = (ago: string, zone: string, now = realNow()): Temporal.Instant =>
  now.toZonedDateTimeISO(zone).subtract(ago).toInstant()

const toCustomer = ({ email, full_name }: DemoCustomer): Customer => ({ email, full_name, password })

async function recordCustomer(db: Db, { email, about }: DemoCustomer, position: number): Promise<void> {
  const { id, password_hash } = await db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('demo_customers')
    .values({ position, user_id: id, password, password_hash, about })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists the demo customers with their passwords, leaving out any whose password has been changed. */
export const readCustomers = (
  db: Db,
): Promise<{ email: string; password: string; first_name: string; about: string }[]> =>
  db
    .selectFrom('demo_customers')
    .innerJoin('users', 'users.id', 'demo_customers.user_id')
    .select(['users.email', 'demo_customers.password', 'users.first_name', 'about'])
    .whereRef('users.password_hash', '=', 'demo_customers.password_hash')
    .orderBy('position')
    .execute()
