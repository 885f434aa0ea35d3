import { realNow } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { type CustomerStory, demoCustomers } from './customer-stories.ts'
import { type PlanRoles, readPlanRoles } from './plan-roles.ts'
import type { StoryContext } from './story.ts'

/** The password shared by all demo customers. It is not a secret. */
const password = 'kereru-2-tui'

type CustomerCreationContext = StoryContext & {
  timePasses(until: Temporal.Instant): Promise<void>
}

/**
 * Creates any missing demo customers by replaying what they would have done, so that gateway, network, invoices and mailbox all agree. If
 * the demo's clock is in the past, it advances from action to action. Otherwise it stays unchanged and all actions happen now. Customers
 * left unfinished by an earlier start are completed. If a customer cannot be created, the error is logged and the next start tries again.
 */
export async function createCustomers(world: CustomerCreationContext): Promise<void> {
  const { db, log, clock } = world.deps
  const pendingCustomers = await listPendingCustomers(db)
  const today = realNow()
  const instantsByAge = new Map(
    pendingCustomers.flatMap(({ past }) => past).map(({ ago }) => [ago, instantBefore(ago, world.market.zone, today)]),
  )
  for (const [ago, moment] of [...instantsByAge].toSorted(([, a], [, b]) => Temporal.Instant.compare(a, b))) {
    if (clock.offset() < 0) await world.timePasses(moment)
    await Promise.all(
      pendingCustomers.map(async (life) => {
        const { email, full_name, past } = life
        const steps = past.find((each) => each.ago === ago)?.steps ?? []
        try {
          for (const step of life.failed ? [] : steps) await step(world, { email, full_name, password }, moment)
          if (!life.failed && past.at(-1)?.ago === ago) await recordCustomer(db, life)
        } catch (error) {
          life.failed = true
          log.warn({ reason: String(error) }, 'a demo customer could not be created')
        }
      }),
    )
  }
}

type PendingCustomer = CustomerStory & { email: string; full_name: string; position: number; failed: boolean }

/** Lists the customers that are still to be created, with their stories. There are none while no plan is on sale. */
async function listPendingCustomers(db: Db): Promise<PendingCustomer[]> {
  const plans = await readPlanRoles(db)
  const rows = await db.selectFrom('demo_customers').select('position').execute()
  const existingPositions = new Set(rows.map(({ position }) => position))
  return demoCustomers.flatMap(({ email, full_name, createStory }, position) =>
    plans && !existingPositions.has(position)
      ? [{ email, full_name, position, failed: false, ...createStory(plans) }]
      : [],
  )
}

/** Returns the moment at which the first demo customer's story begins. */
export function startOfHistory(plans: PlanRoles, zone: string): Temporal.Instant {
  const now = realNow()
  return demoCustomers
    .flatMap(({ createStory }) => createStory(plans).past)
    .map(({ ago }) => instantBefore(ago, zone, now))
    .reduce((first, moment) => (Temporal.Instant.compare(moment, first) < 0 ? moment : first), now)
}

const instantBefore = (ago: string, zone: string, now: Temporal.Instant): Temporal.Instant =>
  now.toZonedDateTimeISO(zone).subtract(ago).toInstant()

async function recordCustomer(db: Db, { email, about, position }: PendingCustomer): Promise<void> {
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
