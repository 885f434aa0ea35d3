import type { RawCall } from '#kit/server/route.ts'
import type { KindName } from './all-kinds.ts'
import type { Cast } from './cast.ts'
import { onPages } from './kinds/beside.ts'
import type { Plant } from './plant.ts'
import type { Scene } from './scene.ts'

/** One page is enough to find a fault that all pages have. */
export const onLogin = (scene: Scene) => onPages(scene, (path) => path === '/login/')

type Attack = { call: string; kinds: KindName[]; long?: true } | ((scene: Scene) => Promise<void>)

export type Weakness = { name: string; plant: (cast: Cast) => Plant; attack: Attack; foundBy: string }

export const asOwner = (raw: RawCall, userId: string | undefined): RawCall =>
  userId ? { ...raw, visit: { ...raw.visit, user: { id: userId, emailVerified: true, passwordEpoch: 0 } } } : raw
export const partsOf = (raw: RawCall) => ({
  params: raw.params as Record<string, string>,
  body: (raw.body ?? {}) as Record<string, unknown>,
})
export const textsOf = (raw: RawCall): string[] =>
  Object.values(partsOf(raw).body).filter((value) => typeof value === 'string')

export const first = (act: (call: Parameters<NonNullable<Plant['answer']>>[0]) => unknown): Plant => ({
  async answer(call) {
    await act(call)
    return call.real()
  },
})
