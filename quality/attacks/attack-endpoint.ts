import type { Endpoint } from '#kit/contract/endpoint.ts'
import { runAttempts, type Group, waitUntilIdle } from './run-attempts.ts'
import type { ValidRequest } from './example.ts'
import { buildValidRequest } from './examples.ts'
import { attackBodies, attackUrl, attackFields } from './kinds/fields.ts'
import { attackRowGrowth } from './kinds/row-growth.ts'
import { attackHeaders } from './kinds/headers.ts'
import { attackWithOversizedBodies } from './kinds/oversized.ts'
import { attackConcurrently, attackWithGuesses, attackWithUnknownFields } from './kinds/repeats.ts'
import { attackWithWrongMethod, attackFromAnotherSite } from './kinds/cross-site.ts'
import { attackAsWrongVisitor, attackWithForeignIds } from './kinds/wrong-visitor.ts'
import type { AttackContext } from './attack-context.ts'
import { vacuumCounters } from './row-changes.ts'

type Kind = (scene: AttackContext, endpoint: Endpoint, right: ValidRequest, turn: number) => Group[] | Promise<Group[]>

/**
 * Attacks that run first, because they leave the prepared valid request usable. An endpoint must reject them, unless the altered request is
 * still allowed.
 */
const nonConsumingAttacks = {
  byTheWrongOnes: attackAsWrongVisitor,
  withOthersThings: attackWithForeignIds,
  fromAnotherSite: attackFromAnotherSite,
  byTheWrongVerb: attackWithWrongMethod,
  inAddress: attackUrl,
  inHeaders: attackHeaders,
  asBodies: attackBodies,
  inFields: attackFields,
} satisfies Record<string, Kind>
/** Attacks that use up the valid request, so they run after those that must be rejected. */
const consumingAttacks = {
  withUnknownFields: attackWithUnknownFields,
  manyAtOnce: attackConcurrently,
  withGuesses: attackWithGuesses,
  growth: attackRowGrowth,
  oversized: attackWithOversizedBodies,
} satisfies Record<string, (scene: AttackContext, endpoint: Endpoint, right: ValidRequest) => Promise<void>>
export type AttackKindName = keyof typeof nonConsumingAttacks | keyof typeof consumingAttacks

export async function attackEndpoint(
  scene: AttackContext,
  endpoint: Endpoint,
  { kinds, turn = 0 }: { kinds?: readonly AttackKindName[]; turn?: number } = {},
): Promise<void> {
  const isSelected = (name: string) => !kinds || kinds.includes(name as AttackKindName)
  const ready = async (): Promise<ValidRequest> => {
    const right = await buildValidRequest(scene, endpoint)
    await waitUntilIdle(scene)
    return right
  }
  const selectedKinds = Object.entries(nonConsumingAttacks).filter(([name]) => isSelected(name))
  const right = selectedKinds.length > 0 || isSelected('withUnknownFields') ? await ready() : undefined
  for (const [, kind] of selectedKinds) {
    for (const group of await (kind as Kind)(scene, endpoint, right as ValidRequest, turn)) {
      await runAttempts(scene, group)
      if (group.mayChange && group.attempts.length > 0) await waitUntilIdle(scene)
    }
  }
  if (isSelected('withUnknownFields')) await attackWithUnknownFields(scene, endpoint, right as ValidRequest)
  if (isSelected('manyAtOnce')) await attackConcurrently(scene, endpoint, await ready())
  if (isSelected('withGuesses')) await attackWithGuesses(scene, endpoint)
  if (isSelected('growth')) await attackRowGrowth(scene, endpoint)
  if (isSelected('oversized')) await attackWithOversizedBodies(scene, endpoint)
  await vacuumCounters(scene.world)
}
