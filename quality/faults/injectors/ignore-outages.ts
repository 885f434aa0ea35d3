import type { FaultWorld } from '../injector.ts'

/** Runs an action that needs the database. If the database is unavailable because of another fault, the error is only logged. */
export async function ignoreOutages(world: FaultWorld, name: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    world.log(
      `${name}: skipped for now, because the database is unavailable: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
