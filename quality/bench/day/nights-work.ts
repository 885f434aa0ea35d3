import type { BenchConnection } from '../scale/bench-connection.ts'
import { runDueWork, type Wave } from '../night/run-due-work.ts'
import type { BenchProduct } from '../world/product.ts'
import type { BenchWorld } from '../world/world.ts'

/**
 * The number of days over which the copies' plans are spread, one less than the days of a plan. So every plan ends tomorrow night at the
 * earliest, and on each day the same number of plans end, as in a year without events.
 */
export const planDays = 29

/** Returns whether the nth copy's plan is among the first to end. Such a copy sends no requests, because its plan is renewed at night. */
export const isDueFirst = (n: number): boolean => n % planDays === planDays - 1

/**
 * Deletes the work that would have been done before the copies were made: reminders (a sent reminder has no row) and readings of how much
 * data each past cycle used.
 */
export async function deletePastWork({ ask }: BenchConnection): Promise<void> {
  await ask('delete from service_deadlines where due_at <= now()')
  await ask('delete from cycle_usage where due_at <= now()')
}

type NightsWork = { running: BenchProduct[]; asking: BenchConnection }

/** Waits until the renewal notices that were due before the copies were made have been sent, so that the next charges are planned. */
export const sendPastNotices = (world: BenchWorld, work: NightsWork): Promise<Wave> =>
  runDueWork(world, work, { name: 'past notices', at: new Date().toISOString() })

/**
 * Moves the clock to the next morning, when a day's reminders, renewal notices and charges are due, and then to the following midnight,
 * when plans end. Waits each time until everything has been done.
 */
export async function runNightsWork(world: BenchWorld, work: NightsWork): Promise<Wave[]> {
  const waves: Wave[] = []
  for (const { name, rows } of nightlyMoments) {
    const [row] = await work.asking.ask<{ at: string | null }>(
      `select to_json(min(due_at) + interval '1 minute') #>> '{}' as at from ${rows}`,
    )
    if (!row?.at) throw new Error(`there are no ${name}`)
    waves.push(await runDueWork(world, work, { name, at: row.at }))
  }
  return waves
}

const nightlyMoments = [
  { name: 'reminders, notices and charges', rows: `auto_renewals where step = 'charge'` },
  { name: 'ends of plans', rows: `service_deadlines where kind = 'expiry'` },
]
