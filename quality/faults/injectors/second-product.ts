import { findFreePort } from '#kit/server/free-port.ts'
import { createProductProcess } from '#quality/support/product-process.ts'
import type { FaultProcess, FaultWorld, Injector } from '../injector.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { runUntilStopped } from './run-until-stopped.ts'

const name = 'second-product'
const folderInUsePattern = /is already in use by/

/**
 * Starts a second Fantail process on the data folder of a process that is already running. The second process must exit with a one-line
 * message, and the first must keep running.
 */
export const secondProduct: Injector = {
  name,
  // This needs the embedded database: processes that use PostgreSQL may share a folder.
  needs: ['embedded'],
  settlesWithin: 120,
  lasts: 30,
  start: (world, random) =>
    runUntilStopped(world, async (stopping) => {
      await interruptiblePause(random.between(2, 10) / 10, stopping)
      await startSecondProduct(world, random.pick(world.processes))
      await interruptiblePause(random.between(1, 3), stopping)
    }),
}

async function startSecondProduct(world: FaultWorld, first: FaultProcess): Promise<void> {
  const owner = first.pid()
  if (owner === null) return
  const { OPS_PORT: _, ...env } = first.env
  const secondProcess = createProductProcess({ ...env, PORT: String(await findFreePort()) })
  const failure = await secondProcess.start().then(
    () => null,
    (error: unknown) => String(error),
  )
  await secondProcess.stop()
  // Don't judge the result if the first process has died, because then nothing was using the folder.
  if (first.pid() !== owner) return
  if (failure === null) return world.complain(`a second product started on the data folder of ${first.name}`)
  const lines = secondProcess.complaints()
  const isOneLine = lines.length === 1 && folderInUsePattern.test(lines[0] ?? '')
  if (!isOneLine)
    world.complain(`a second product on the folder of ${first.name} said: ${lines.slice(0, 5).join(' | ')}`)
  world.log(`${name}: ${lines[0]?.slice(0, 160)}`)
}
