import type { BenchConnection } from '../scale/bench-connection.ts'
import { moveClock, runDueWork, type Wave } from '../night/run-due-work.ts'
import type { BenchProduct } from '../world/product.ts'
import type { BenchWorld } from '../world/world.ts'

/**
 * Number of days over which the ends of the copied plans are spread: one less than a plan's length. Every plan therefore ends tomorrow
 * night at the earliest, and the same number of plans end each day.
 */
export const planSpreadDays = 29

/** Returns whether the nth copy's plan is among the first to end. Such a copy sends no requests, because its plan is renewed at night. */
export const isDueFirst = (n: number): boolean => n % planSpreadDays === planSpreadDays - 1

/**
 * Deletes the work that would have been done before the copies were made: reminders (a sent reminder has no row) and readings of how much
 * data each past cycle used.
 */
export async function deletePastWork({ ask }: BenchConnection): Promise<void> {
  await ask('delete from service_deadlines where due_at <= now()')
  await ask('delete from cycle_usage where due_at <= now()')
}

type NightlyWork = { running: BenchProduct[]; asking: BenchConnection }

/** Waits until the renewal notices that were due before the copies were made have been sent, so that the next charges are planned. */
export const sendPastNotices = (world: BenchWorld, work: NightlyWork): Promise<Wave> =>
  runDueWork(world, work, { name: 'past notices', at: new Date().toISOString() })

/** Moves the clock to the next time when a day's reminders, renewal notices and charges are due. Returns the new time. */
export async function startNightlyWork(world: BenchWorld, { ask }: BenchConnection): Promise<string> {
  const [row] = await ask<{ at: string | null }>(
    `select to_json(min(due_at) + interval '1 minute') #>> '{}' as at from auto_renewals where step = 'charge'`,
  )
  if (!row?.at) throw new Error('no plan is renewed at night')
  await moveClock(world, ask, row.at)
  return row.at
}

/** Numbers of reminders, notices, charges and messages that are due or in progress. */
export type Backlog = { reminders: number; notices: number; charges: number; messages: number }

export async function countBacklog({ ask }: BenchConnection, at: string): Promise<Backlog> {
  const [row] = await ask<Record<keyof Backlog, string>>(
    `select (select count(*) from service_deadlines where due_at <= $1::timestamptz) as reminders,
      (select count(*) from auto_renewals where step = 'notice' and due_at <= $1::timestamptz) as notices,
      (select count(*) from auto_renewals where step = 'charge' and due_at <= $1::timestamptz) as charges,
      (select count(*) from messages where retry_at is not null and (due_at is null or due_at <= $1::timestamptz)) as messages`,
    [at],
  )
  const getCount = (kind: keyof Backlog): number => Number(row?.[kind])
  return {
    reminders: getCount('reminders'),
    notices: getCount('notices'),
    charges: getCount('charges'),
    messages: getCount('messages'),
  }
}
