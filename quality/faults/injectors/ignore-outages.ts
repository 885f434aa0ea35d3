import type { FaultWorld } from '../injector.ts'

/** Runs something that needs the database. If another fault has taken the database away, that is logged and does not matter. */
export async function ignoreOutages(world: FaultWorld, name: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    world.log(`${name}: not now: ${error instanceof Error ? error.message : String(error)}`)
  }
}
