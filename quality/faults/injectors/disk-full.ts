import type { FaultWorld, Injector } from '../injector.ts'
import { findSmallDisk } from '../postgres/small-disk.ts'
import { waitForRecovery } from '../measure-recovery.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { runUntilStopped } from './run-until-stopped.ts'

const name = 'disk-full'

export const diskFull: Injector = {
  name,
  needs: [],
  settlesWithin: 150,
  lasts: 30,
  start(world, random) {
    const fill = createDiskFiller(world)
    if (!fill) {
      world.log(
        `${name}: skipped: the database has no small disk to fill, because mounting one needs root and permission to mount`,
      )
      return { stop: async () => {} }
    }
    return runUntilStopped(world, async (stopping) => {
      await interruptiblePause(random.between(5, 30) / 10, stopping)
      const seconds = random.between(2, 12)
      world.log(`${name}: for ${seconds} s`)
      const free = await fill()
      await interruptiblePause(seconds, stopping)
      await free()
      await waitForRecovery(world, { fault: name, end: 'there is room again' }, stopping)
      await interruptiblePause(random.between(1, 8), stopping)
    })
  },
}

/** Returns a function that fills the disk, which in turn returns a function that frees it; null if the disk cannot be filled. */
function createDiskFiller({ database, processes }: FaultWorld): (() => Promise<() => Promise<void>>) | null {
  if (database) {
    const { cluster } = database
    return cluster?.fillDisk ? () => cluster.fillDisk?.() as Promise<() => Promise<void>> : null
  }
  const disk = findSmallDisk(processes[0]?.dataDir ?? '')
  return (
    disk &&
    (async () => {
      disk.fill()
      return async () => disk.free()
    })
  )
}
