import { toDate } from '#kit/server/clock.ts'
import { findWatch, type UsageWatch } from '#features/alerts/server/watch.store.ts'
import type { Subscriber } from './customer.ts'
import { addSimUsage as onSim } from './simulators.ts'
import { pollUntil } from './poll-until.ts'
import type { World } from './world.ts'

/** Moves the clock forward to the next occurrence of the given local time of day. */
export async function waitForTime({ deps, advance }: World, time: string): Promise<void> {
  const now = deps.clock.now().toZonedDateTimeISO(deps.market.zone)
  const today = now.withPlainTime(time)
  const next = Temporal.ZonedDateTime.compare(today, now) > 0 ? today : now.add({ days: 1 }).withPlainTime(time)
  await advance(`PT${Math.ceil(next.since(now).total('seconds'))}S`)
}

/** Uses more data on the SIM, and deletes the usage that Fantail has stored for the service. */
export async function consumeData(world: World, { service }: Subscriber, megabytes: number): Promise<void> {
  await onSim(world, { iccid: service.sim.iccid, type: 'data', amount: megabytes })
  await world.db.deleteFrom('usage_readings').where('service_id', '=', service.id).execute()
}

/** Uses data until the cycle's total reaches `megabytes`, including the SIM's simulated usage. */
export async function consumeDataUpTo(world: World, customer: Subscriber, megabytes: number): Promise<void> {
  await consumeData(world, customer, megabytes - (await readUsedData(customer)))
}

async function readUsedData({ visitor, service }: Subscriber): Promise<number> {
  const { totalAllowance, remainingAllowance } = await pollUntil(async () => {
    const { body } = await visitor.get(`/api/account/usage_summary/${service.id}/`)
    return body.plan.entitlements?.[0]
  })
  const inMb = ({ amount, unit }: { amount: number; unit: string }) => (unit === 'GB' ? 1_000 * amount : amount)
  return inMb(totalAllowance) - inMb(remainingAllowance)
}

const requireUsageCheck = async ({ db }: World, { service }: Subscriber): Promise<UsageWatch> => {
  const watch = await findWatch(db, service.id)
  if (!watch) throw new Error('the service is not watched')
  return watch
}

/** Checks a service's usage immediately and returns the recorded result. */
export async function look(world: World, customer: Subscriber): Promise<UsageWatch> {
  const now = toDate(world.deps.clock.now())
  await world.db
    .updateTable('usage_watch')
    .set({ due_at: now, taken: false })
    .where('service_id', '=', customer.service.id)
    .execute()
  return waitForUsageCheck(world, customer)
}

export const waitForUsageCheck = (world: World, customer: Subscriber): Promise<UsageWatch> =>
  pollUntil(async () => {
    const watch = await requireUsageCheck(world, customer)
    const isDue = watch.due_at !== null && watch.due_at <= toDate(world.deps.clock.now())
    return !watch.taken && !isDue && watch
  })

export const readSentAlerts = async ({ db }: World, { service }: Subscriber) =>
  (
    await db
      .selectFrom('messages')
      .select(['channel', 'event_key'])
      .where('kind', '=', 'usage-alert')
      .where('ref', '=', service.id)
      .orderBy('created_at')
      .orderBy('channel', 'desc')
      .execute()
  ).map(({ channel, event_key: key }) => `${channel} ${key.split(':').at(-2)}`)
