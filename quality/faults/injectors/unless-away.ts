import type { FaultWorld } from '../injector.ts'

/** Does something that needs the database; that another fault has taken it away at the moment is said, and does not matter. */
export async function unlessAway(world: FaultWorld, name: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    world.log(`${name}: not now: ${error instanceof Error ? error.message : String(error)}`)
  }
}
