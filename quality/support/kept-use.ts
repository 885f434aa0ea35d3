import { presentKeptUse } from '#features/usage/server/kept-use.ts'
import type { World } from './world.ts'

/** The use of a customer's service, or for an empty `uuid` of their only one, that a page is rendered with. */
export async function keptUseOf({ deps }: Pick<World, 'deps'>, userId: string, uuid = '') {
  return presentKeptUse(deps, await deps.readKeptUse.of(deps.db, userId, { uuid }))
}
