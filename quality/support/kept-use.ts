import { presentKeptUse } from '#features/usage/server/kept-use.ts'
import type { World } from './world.ts'

/** The usage of a customer's service that a page is rendered with. An empty `uuid` means their only service. */
export async function keptUseOf({ deps }: Pick<World, 'deps'>, userId: string, uuid = '') {
  return presentKeptUse(deps, await deps.readKeptUse.of(deps.db, userId, { uuid }))
}
