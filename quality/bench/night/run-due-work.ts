import { setTimeout as pause } from 'node:timers/promises'
import type { BenchConnection } from '../scale/bench-connection.ts'
import type { BenchProduct } from '../world/product.ts'
import type { BenchWorld } from '../world/world.ts'

export type Wave = {
  name: string
  count: number
  /**
   * `secondsDue` is the time until none of the wave's work was due. `seconds` also includes the emails and charges that result from the
   * work.
   */
  secondsDue: number
  seconds: number
  megabytes: number
}

const maxWaitMs = 30 * 60_000
const pollMs = 100

const due = [
  'from service_deadlines where due_at <= $1::timestamptz',
  'from auto_renewals where due_at <= $1::timestamptz',
]
// Each condition reads the earliest row of an index. With `exists`, PostgreSQL would read the whole table while many rows are due.
const dueWorkSql = ['service_deadlines', 'auto_renewals']
  .map((table) => `coalesce((select min(due_at) from ${table}) <= $1::timestamptz, false)`)
  .join(' or ')
const openWorkSql = `exists (select from messages where retry_at is not null and (due_at is null or due_at <= $1::timestamptz))
  or exists (
    select from orders where overdue_at is not null and state not in ('completed', 'refused', 'undone', 'held', 'cancelled')
  )`

type Left = { isDue: boolean; isOpen: boolean }

/** Returns whether any work is still due or open. Counting what remains would cost as much as doing some of it. */
const readRemainingWork = ({ ask }: BenchConnection, at: string): Promise<Left[]> =>
  ask<Left>(`select ${dueWorkSql} as "isDue", ${openWorkSql} as "isOpen"`, [at])

async function countDueRows({ ask }: BenchConnection, at: string): Promise<number> {
  const [row] = await ask<{ count: string }>(
    `select ${due.map((rows) => `(select count(*) ${rows})`).join(' + ')} as count`,
    [at],
  )
  return Number(row?.count)
}

export async function runDueWork(
  world: BenchWorld,
  { running, asking }: { running: BenchProduct[]; asking: BenchConnection },
  { name, at }: { name: string; at: string },
): Promise<Wave> {
  const count = await countDueRows(asking, at)
  await moveClock(world, asking.ask, at)
  const began = performance.now()
  let [secondsDue, megabytes] = [0, 0]
  for (;;) {
    await pause(pollMs)
    const [left] = await readRemainingWork(asking, at)
    const seconds = (performance.now() - began) / 1_000
    megabytes = Math.max(megabytes, ...running.map((process) => process.megabytes() ?? 0))
    if (left?.isDue === false) {
      secondsDue ||= seconds
      if (!left.isOpen) return { name, count, secondsDue, seconds, megabytes }
    }
    if (seconds * 1_000 > maxWaitMs) throw new Error(`${name}: ${JSON.stringify(left)} left on ${world.where}`)
  }
}

/** Moves the clocks of Fantail and the simulators to the given time. */
export async function moveClock({ outside }: BenchWorld, ask: BenchConnection['ask'], at: string): Promise<void> {
  const offset = Math.ceil(Date.parse(at) - Date.now())
  for (const url of [outside.CARD_URL, outside.NETWORK_URL]) await setSimulatorClock(url, offset)
  await ask('update clock set offset_ms = $1', [offset])
}

async function setSimulatorClock(url: string, offset: number): Promise<void> {
  const answer = await fetch(`${url}/_simulator/clock`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ offset_ms: offset }),
  })
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status} to its clock`)
}
