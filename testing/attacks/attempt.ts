import { faultsOfAnswer, faultsOfLog, faultsOfPrototype, faultsOfRows, type Expected } from './judge.ts'
import type { Scene } from './scene.ts'
import { type Answer, type Request, send } from './send.ts'
import { changesBetween, takeSnapshot } from './snapshot.ts'

export type Attempt = { what: string; request: Request; expected: Expected }
/** Attempts on one call. `mayChange`: what is taken may leave its traces. */
export type Group = { kind: string; call: string; attempts: Attempt[]; mayChange?: true }

/** No request may hold the thread that serves everybody for so many ms more than an ordinary one. */
const mostAbove = 50

/** Makes the attempts one after the other, and looks at each answer, and at what all have left behind. */
export async function carryOut(scene: Scene, { kind, call, attempts, mayChange }: Group): Promise<void> {
  if (attempts.length === 0) return
  const { tries, world, cast } = scene
  const before = await takeSnapshot(world)
  const find = (what: string, fault: string) => tries.find({ kind, call, what, fault })
  let usual = 25
  for (const { what, request, expected } of attempts) {
    tries.count(kind)
    const answer = await attempt(scene, request)
    const faults = [expected(answer), ...faultsOfAnswer(scene, request, answer), ...faultsOfPrototype()].filter((fault) => fault !== null)
    for (const fault of faults) find(what, fault)
    // What is bought or made takes the time of what is bought.
    if (mayChange && answer.status < 300) usual = Math.max(usual, 150)
    if (answer.ms > usual + mostAbove && (await isSlow(scene, request, answer, usual))) find(what, `held everybody for ${Math.round(answer.ms)} ms`)
  }
  const changes = changesBetween(before, await takeSnapshot(world))
  const names = attempts.length === 1 ? (attempts[0]?.what ?? '') : `one of ${attempts.length}: ${attempts.slice(0, 4).map(({ what }) => what).join(', ')}…`
  if (!mayChange && changes.length > 0) find(names, `changed ${[...new Set(changes.map(({ table }) => table))].join(', ')}: ${changes[0]?.row.slice(0, 200)}`)
  for (const fault of [...faultsOfRows(cast, changes), ...faultsOfLog(cast)]) find(names, fault)
}

/** Limits are another kind’s business. */
export async function attempt({ world }: Scene, request: Request): Promise<Answer> {
  await world.db.deleteFrom('rate_limits').execute()
  return send(world.url, request)
}

/** A machine that is busy, or a job of the product's at the same time, is slow once; twice more and alone, it is the request. */
async function isSlow(scene: Scene, request: Request, first: Answer, usual: number): Promise<boolean> {
  let best = first.ms
  for (let again = 0; again < 2 && best > usual + mostAbove; again++) best = Math.min(best, (await attempt(scene, request)).ms)
  return best > usual + mostAbove
}
