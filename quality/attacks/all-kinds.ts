import type { Endpoint } from '#kit/contract/endpoint.ts'
import { carryOut, type Group, untilQuiet } from './attempt.ts'
import type { Right } from './example.ts'
import { rightCall } from './examples.ts'
import { asBodies, inAddress, inFields } from './kinds/fields.ts'
import { growth } from './kinds/growth.ts'
import { inHeaders } from './kinds/headers.ts'
import { oversized } from './kinds/oversized.ts'
import { manyAtOnce, withGuesses, withUnknownFields } from './kinds/repeats.ts'
import { byTheWrongVerb, fromAnotherSite } from './kinds/site.ts'
import { byTheWrongOnes, withOthersThings } from './kinds/who.ts'
import type { Scene } from './scene.ts'
import { tidyUp } from './changes.ts'

type Kind = (scene: Scene, endpoint: Endpoint, right: Right, turn: number) => Group[] | Promise<Group[]>

/** Attacks that must be rejected for any call. They use up a right call only where the call is broken. */
const refusals = {
  byTheWrongOnes,
  withOthersThings,
  fromAnotherSite,
  byTheWrongVerb,
  inAddress,
  inHeaders,
  asBodies,
  inFields,
} satisfies Record<string, Kind>
/** Attacks that use up a right call. */
const uses = { withUnknownFields, manyAtOnce, withGuesses, growth, oversized } satisfies Record<
  string,
  (scene: Scene, endpoint: Endpoint, right: Right) => Promise<void>
>
export type KindName = keyof typeof refusals | keyof typeof uses

export async function attackCall(
  scene: Scene,
  endpoint: Endpoint,
  { kinds, turn = 0 }: { kinds?: readonly KindName[]; turn?: number } = {},
): Promise<void> {
  const isWanted = (name: string) => !kinds || kinds.includes(name as KindName)
  const ready = async (): Promise<Right> => {
    const right = await rightCall(scene, endpoint)
    await untilQuiet(scene)
    return right
  }
  const wanted = Object.entries(refusals).filter(([name]) => isWanted(name))
  const right = wanted.length > 0 || isWanted('withUnknownFields') ? await ready() : undefined
  for (const [, kind] of wanted) {
    for (const group of await (kind as Kind)(scene, endpoint, right as Right, turn)) {
      await carryOut(scene, group)
      if (group.mayChange && group.attempts.length > 0) await untilQuiet(scene)
    }
  }
  if (isWanted('withUnknownFields')) await withUnknownFields(scene, endpoint, right as Right)
  if (isWanted('manyAtOnce')) await manyAtOnce(scene, endpoint, await ready())
  if (isWanted('withGuesses')) await withGuesses(scene, endpoint)
  if (isWanted('growth')) await growth(scene, endpoint)
  if (isWanted('oversized')) await oversized(scene, endpoint)
  await tidyUp(scene.world)
}
