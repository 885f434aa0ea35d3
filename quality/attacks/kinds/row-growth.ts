import { sql } from 'kysely'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { newEmail, type Visitor } from '#quality/support/visitor.ts'
import type { World } from '#quality/support/world.ts'
import { waitUntilIdle } from '../run-attempts.ts'
import { buildRequest } from '../attack-request.ts'
import type { ValidRequest } from '../example.ts'
import { findExample } from '../examples.ts'
import { isWriteCall, nameOf, type AttackContext } from '../attack-context.ts'
import { send } from '../send.ts'

const repeatCount = 14
const maxAddedRows = 6

/**
 * Tables to which a repeated request may keep adding rows, because a rate limit or a retention period bounds the number of rows (decision
 * 0024).
 */
const growingTables: Readonly<Record<string, readonly string[]>> = {
  // An account can log in at most 60 times an hour and keeps 50 sessions. The login limits also bound the number of rows for failed logins.
  'POST /api/account/login/': ['sessions', 'audit_events'],
  // An address is sent at most 12 emails an hour.
  'POST /api/account/password_reset_request/': ['messages', 'demo_messages', 'email_tokens', 'audit_events'],
  // Only one order gets paid, but it adds more than six rows to each of these tables.
  'POST /api/activate/pay/': ['order_events', 'service_deadlines'],
}
/**
 * Tables whose rows are deleted after 48 hours (refused payments after 30 days). A rate limit per client address also applies to each
 * request.
 */
const counterTables = ['rate_limits', 'refused_payments', 'seen_changes']

export async function attackRowGrowth(scene: AttackContext, endpoint: Endpoint): Promise<void> {
  const { who, right, guesses } = findExample(endpoint)
  if (!right || !isWriteCall(endpoint) || (who !== 'anyone' && who !== 'session')) return
  const begun = new Date()
  const ready = await right(scene)
  const getAnonymousVisitor = () => scene.cast.stranger()
  const run = (turns: Turns) => repeatRequest(scene, endpoint, turns)
  await run({ kind: 'repeated by one session', who: async () => ready.visitor, call: () => ready })
  await run({ kind: 'repeated by many sessions', who: getAnonymousVisitor, call: () => ready })
  if (getAddressField(ready))
    await run({
      kind: unknownAddressAttackKind,
      who: getAnonymousVisitor,
      call: () => replaceWithUnknownAddress(ready),
    })
  if (guesses)
    await run({
      kind: 'guessed by many sessions',
      who: getAnonymousVisitor,
      call: (at) => ({ visitor: ready.visitor, ...guesses.call(scene, at) }),
    })
  // An account keeps at most 50 sessions, so further logins would end sessions that other attacks are using.
  const { db } = scene.world
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', scene.cast.mallory.id)
    .where('created_at', '>=', begun)
    .execute()
}

const unknownAddressAttackKind = 'repeated for unknown addresses'

type Turns = { kind: string; who(): Promise<Visitor>; call(at: number): ValidRequest }

async function repeatRequest(scene: AttackContext, endpoint: Endpoint, { kind, who, call }: Turns): Promise<void> {
  const { world, tries } = scene
  await waitUntilIdle(scene)
  const previousCounts = await countRows(world)
  for (let at = 0; at < repeatCount; at++) {
    // Clear the rate limits. Otherwise requests would be rejected, which would hide growth in tables that nothing else limits.
    await world.db.deleteFrom('rate_limits').execute()
    tries.count(kind)
    await send(world.url, buildRequest(endpoint, call(at), { visitor: await who() }))
  }
  await waitUntilIdle(scene)
  const after = await countRows(world)
  const growableTables = [
    ...counterTables,
    ...(kind === unknownAddressAttackKind ? [] : (growingTables[nameOf(endpoint)] ?? [])),
  ]
  for (const [table, rows] of after) {
    const added = rows - (previousCounts.get(table) ?? 0)
    if (added > maxAddedRows && !growableTables.includes(table))
      tries.find({
        kind,
        call: nameOf(endpoint),
        what: `${repeatCount} times`,
        fault: `added ${added} rows to ${table}`,
      })
  }
}

async function countRows({ db }: World): Promise<Map<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db)
  const each = tables.map(
    ({ name }) => sql`select ${name}::text as name, count(*)::int as rows from ${sql.table(name)}`,
  )
  const { rows } = await sql<{ name: string; rows: number }>`${sql.join(each, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ name, rows: count }) => [name, count]))
}

const getAddressField = ({ body }: ValidRequest): string | undefined =>
  ['username', 'email'].find((field) => body && field in body)

const replaceWithUnknownAddress = (right: ValidRequest): ValidRequest => ({
  ...right,
  body: { ...right.body, [getAddressField(right) ?? '']: newEmail() },
})
