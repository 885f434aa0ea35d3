import { toDate } from '#kit/server/clock.ts'
import type { World } from './world.ts'

type PastCycle = { usedMb: number | null; ranOut?: boolean; plan?: string; days?: number }

/** Gives a service past cycles that ended before it was bought, newest first, as if the customer had been using it for that long. */
export async function addPastCycles(
  world: Pick<World, 'db' | 'deps'>,
  serviceId: string,
  cycles: readonly PastCycle[],
): Promise<void> {
  const { zone } = world.deps.market
  let end = world.deps.clock.now().toZonedDateTimeISO(zone).startOfDay()
  for (const { usedMb, ranOut = false, plan = 'plan-90-25gb', days = 30 } of cycles) {
    const start = end.subtract({ days })
    await world.db
      .insertInto('cycle_usage')
      .values({
        service_id: serviceId,
        starts_at: toDate(start.toInstant()),
        ends_at: toDate(end.toInstant()),
        product_id: plan,
        is_whole: true,
        used_mb: usedMb,
        ran_out_at: ranOut ? toDate(end.subtract({ days: 4 }).toInstant()) : null,
        due_at: null,
      })
      .execute()
    end = start
  }
}
