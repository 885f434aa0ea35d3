import { isQuiet } from '#quality/support/reconciliation.ts'
import { until } from '#quality/support/until.ts'
import { faultsOfAnswer, faultsOfLog, faultsOfPrototype, faultsOfRows, type Expected } from './judge.ts'
import type { Scene } from './scene.ts'
import { type Answer, type Request, send } from './send.ts'
import { changesIn, forbiddenIn } from './changes.ts'

export type Attempt = { what: string; request: Request; expected: Expected }
/** Attempts on one call. `mayChange`: an accepted attempt may leave changes. */
export type Group = { kind: string; call: string; attempts: Attempt[]; mayChange?: true }

/** Milliseconds. No request may hold the event loop for so much longer than an ordinary one. */
const mostAbove = 50
/** Milliseconds of an ordinary rejection, including database and client. */
const refusal = 10

export async function carryOut(scene: Scene, { kind, call, attempts, mayChange }: Group): Promise<void> {
  const { tries, world, cast } = scene
  let usual = refusal
  if (attempts.length > 0) await changesIn(world)
  for (const { what, request, expected } of attempts) {
    tries.count(kind)
    const answer = await send(world.url, request)
    const changes = await changesIn(world)
    const [forbidden] = mayChange ? [] : forbiddenIn(changes)
    const faults = [
      expected(answer),
      ...faultsOfAnswer(scene, request, answer),
      ...(forbidden ? [`changed ${forbidden.table}: ${forbidden.row.slice(0, 200)}`] : []),
      ...faultsOfRows(cast, changes),
      ...faultsOfLog(cast),
      ...faultsOfPrototype(),
    ]
    // Buying or making something takes longer, so it is compared with the first attempt that did so.
    if (mayChange && answer.status < 300 && usual === refusal) usual = Math.max(refusal, answer.ms)
    if (answer.ms > usual + mostAbove && (await isSlow(scene, request, answer, usual)))
      faults.push(`held all visitors for ${Math.round(answer.ms)} ms`)
    for (const fault of faults) if (fault !== null) tries.find({ kind, call, what, fault })
  }
}

/** Another kind of attack tests the limits. */
export async function attempt({ world }: Scene, request: Request): Promise<Answer> {
  await changesIn(world)
  return send(world.url, request)
}

/** A busy machine or another job is slow once. A request that is slow two more times, alone, is at fault itself. */
async function isSlow(scene: Scene, request: Request, first: Answer, usual: number): Promise<boolean> {
  let best = first.ms
  for (let again = 0; again < 2 && best > usual + mostAbove; again++)
    best = Math.min(best, (await attempt(scene, request)).ms)
  return best > usual + mostAbove
}

export async function untilQuiet({ world }: Scene): Promise<void> {
  const moving = () =>
    world.db
      .selectFrom('porting_requests')
      .select('id')
      .where('ended_at', 'is', null)
      .where('status', 'in', ['NEW', 'SUBMITTED'])
      .execute()
  await until(async () => (await moving()).length === 0 && isQuiet(world))
}
