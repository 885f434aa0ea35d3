import { isIdle } from '#quality/support/reconciliation.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import {
  findResponseFaults,
  findSecretsInLog,
  findPrototypePollution,
  findSecretsInRows,
  type AnswerCheck,
} from './answer-checks.ts'
import type { AttackContext } from './attack-context.ts'
import { type Answer, type Request, send } from './send.ts'
import { takeRowChanges, findForbiddenChanges } from './row-changes.ts'

export type Attempt = { what: string; request: Request; expected: AnswerCheck }
/** Attempts to attack a single endpoint. With `mayChange`, an accepted attempt may change the database. */
export type Group = { kind: string; call: string; attempts: Attempt[]; mayChange?: true }

/** How much longer, in milliseconds, an attack request may block the event loop than an ordinary request. */
const maxExtraBlockingMs = 50
/** How long an ordinary rejected request typically takes, in milliseconds, including the database and the client. */
const usualRefusalMs = 10

export async function runAttempts(scene: AttackContext, { kind, call, attempts, mayChange }: Group): Promise<void> {
  const { tries, world, cast } = scene
  let usual = usualRefusalMs
  if (attempts.length > 0) await takeRowChanges(world)
  for (const { what, request, expected } of attempts) {
    tries.count(kind)
    const answer = await send(world.url, request)
    const changes = await takeRowChanges(world)
    const [forbidden] = mayChange ? [] : findForbiddenChanges(changes)
    const faults = [
      expected(answer),
      ...findResponseFaults(scene, request, answer),
      ...(forbidden ? [`changed ${forbidden.table}: ${forbidden.row.slice(0, 200)}`] : []),
      ...findSecretsInRows(cast, changes),
      ...findSecretsInLog(cast),
      ...findPrototypePollution(),
    ]
    /*
     * A purchase or creation takes longer when it is accepted than when it is rejected, so compare later attempts with the first accepted
     * one.
     */
    if (mayChange && answer.status < 300 && usual === usualRefusalMs) usual = Math.max(usualRefusalMs, answer.ms)
    if (answer.ms > usual + maxExtraBlockingMs && (await isSlow(scene, request, answer, usual)))
      faults.push(`held all visitors for ${Math.round(answer.ms)} ms`)
    for (const fault of faults) if (fault !== null) tries.find({ kind, call, what, fault })
  }
}

/** Resets the rate limits before sending the request. The rate limits are covered by a different attack. */
export async function sendWithoutLimits({ world }: AttackContext, request: Request): Promise<Answer> {
  await takeRowChanges(world)
  return send(world.url, request)
}

/**
 * Returns whether a request is still slow in two further attempts without competing requests. A busy machine rarely delays the same request
 * three times.
 */
async function isSlow(scene: AttackContext, request: Request, first: Answer, usual: number): Promise<boolean> {
  let best = first.ms
  for (let again = 0; again < 2 && best > usual + maxExtraBlockingMs; again++)
    best = Math.min(best, (await sendWithoutLimits(scene, request)).ms)
  return best > usual + maxExtraBlockingMs
}

export async function waitUntilIdle({ world }: AttackContext): Promise<void> {
  const readOpenTransfers = () =>
    world.db
      .selectFrom('porting_requests')
      .select('id')
      .where('ended_at', 'is', null)
      .where('status', 'in', ['NEW', 'SUBMITTED'])
      .execute()
  await pollUntil(async () => (await readOpenTransfers()).length === 0 && isIdle(world))
}
