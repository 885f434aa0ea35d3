import { setTimeout as pause } from 'node:timers/promises'
import { parseScrape } from '#quality/support/prometheus.ts'
import type { FaultTestWorld } from './fault-world.ts'

type Open = Record<string, number>

export const maxSettleSeconds = 120

export async function waitUntilSettled(world: FaultTestWorld): Promise<{ seconds: number } | { open: Open }> {
  const began = performance.now()
  let open: Open = {}
  // Check twice, because finished work may trigger more work.
  for (let quiet = 0; quiet < 2 && !world.signal.aborted;) {
    open = await countUnfinishedWork(world).catch((error: unknown) => ({ [String(error)]: 1 }))
    quiet = Object.keys(open).length === 0 ? quiet + 1 : 0
    const seconds = (performance.now() - began) / 1_000
    if (quiet === 2) return { seconds }
    if (seconds > maxSettleSeconds) return { open }
    await pause(world.database ? 500 : 2_000)
  }
  return { open }
}

async function countUnfinishedWork(world: FaultTestWorld): Promise<Open> {
  const workCounts = world.database
    ? await countUnfinishedInDatabase(world.database)
    : await countUnfinishedFromMetrics(world)
  const answer = await fetch(`${world.gateway.url}/_simulator/webhooks/pending`)
  const notifications = ((await answer.json()) as unknown[]).length
  return Object.fromEntries(Object.entries({ ...workCounts, notifications }).filter(([, count]) => count > 0))
}

/**
 * Counts the work in progress. Orders that are waiting for their customer and messages that are held back until the morning do not count.
 */
const unfinishedWorkSql = `
  select 'orders' as what, count(*)::int as count from orders where state not in ('completed', 'refused', 'undone', 'cancelled', 'held')
  union all select 'card updates', count(*)::int from card_updates where state in ('initiated', 'unknown')
  union all select 'card removals', count(*)::int from card_removals where state = 'initiated'
  union all select 'refunds', count(*)::int from refunds where state in ('initiated', 'unknown')
  union all select 'releases', count(*)::int from service_releases where state = 'initiated'
  union all select 'transfers', count(*)::int from porting_requests where status = 'CANCELLING'
  union all select 'messages', count(*)::int from messages where sent_at is null and dropped_at is null and due_at is null`

async function countUnfinishedInDatabase(database: NonNullable<FaultTestWorld['database']>): Promise<Open> {
  const rows = await database.run(unfinishedWorkSql)
  return Object.fromEntries(rows.map(({ what, count }) => [String(what), Number(count)]))
}

const ours = ['fantail_orders_open', 'fantail_unresolved', 'fantail_messages_waiting']

/** Read the counts from Fantail's metrics, because only Fantail can read its embedded database. */
async function countUnfinishedFromMetrics({ opsUrl }: FaultTestWorld): Promise<Open> {
  const answer = await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(5_000) })
  const { samples } = parseScrape(await answer.text())
  const told = samples.filter(
    ({ name, labels }) => ours.includes(name) && labels['state'] !== 'held' && labels['what'] !== 'number_transfer',
  )
  if (told.length === 0) throw new Error('the product tells nothing')
  return Object.fromEntries(told.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]))
}
