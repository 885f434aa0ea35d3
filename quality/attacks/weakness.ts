import type { RawRequest } from '#kit/server/route.ts'
import type { AttackKindName } from './attack-endpoint.ts'
import type { AttackAccounts } from './attack-accounts.ts'
import { attackPages } from './kinds/callbacks-and-pages.ts'
import type { PlantedWeakness } from './planted-weakness.ts'
import type { AttackContext } from './attack-context.ts'

/** Attacks only the login page, which is enough to reveal a fault that all pages share. */
export const attackLoginPage = (scene: AttackContext) => attackPages(scene, (path) => path === '/login/')

type Attack = { call: string; kinds: AttackKindName[]; long?: true } | ((scene: AttackContext) => Promise<void>)

export type Weakness = {
  name: string
  plant: (cast: AttackAccounts) => PlantedWeakness
  attack: Attack
  foundBy: string
}

export const addUserToRequest = (raw: RawRequest, userId: string | undefined): RawRequest =>
  userId ? { ...raw, visit: { ...raw.visit, user: { id: userId, emailVerified: true, passwordEpoch: 0 } } } : raw
export const readCallParameters = (raw: RawRequest) => ({
  params: raw.params as Record<string, string>,
  body: (raw.body ?? {}) as Record<string, unknown>,
})
export const listBodyStrings = (raw: RawRequest): string[] =>
  Object.values(readCallParameters(raw).body).filter((value) => typeof value === 'string')

export const first = (
  act: (call: Parameters<NonNullable<PlantedWeakness['answer']>>[0]) => unknown,
): PlantedWeakness => ({
  async answer(call) {
    await act(call)
    return call.real()
  },
})
