import { presentStoredUsage } from '#features/usage/server/stored-usage.ts'
import type { World } from './world.ts'

/** Returns the stored usage that a page is rendered with. An empty `uuid` means the customer's only service. */
export async function readSavedUsage({ deps }: Pick<World, 'deps'>, userId: string, uuid = '') {
  return presentStoredUsage(deps, await deps.readKeptUse.of(deps.db, userId, { uuid }))
}
