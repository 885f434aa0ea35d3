import { spawnSync } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'

/** A disk that can be full: a tmpfs, which uses memory only for its content. */
export type SmallDisk = {
  fill(): void
  free(): void
  remove(): void
}

const roomy = 2 * 1024 ** 3

/** Mounts such a disk on an empty folder; null where this machine does not permit that. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  return run('mount', ['-t', 'tmpfs', '-o', `size=${roomy},mode=0755`, 'fantail-small-disk', folder])
    ? createSmallDisk(folder)
    : null
}

export function smallDiskAt(folder: string): SmallDisk | null {
  const mountTable = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => /^fantail-small-disk (\S+) /.exec(line)?.[1] ?? [])
    .find((place) => `${folder}/`.startsWith(`${place}/`))
  return mountTable ? createSmallDisk(mountTable) : null
}

const createSmallDisk = (folder: string): SmallDisk => ({
  fill() {
    // Shrinking the disk costs no memory, unlike a file that fills it. The disk cannot be smaller than its content, and others write
    // meanwhile.
    for (let tries = 0; tries < 50; tries++) {
      const { blocks, bfree, bsize } = statfsSync(folder)
      if (resizeDisk(folder, (blocks - bfree) * bsize)) return
    }
    throw new Error(`${folder} could not be filled`)
  },
  free() {
    if (!resizeDisk(folder, roomy)) throw new Error(`${folder} could not be freed`)
  },
  // Open files keep the disk until they are closed.
  remove: () => void run('umount', ['--lazy', folder]),
})

const resizeDisk = (folder: string, bytes: number): boolean => run('mount', ['-o', `remount,size=${bytes}`, folder])

const run = (command: string, args: string[]): boolean => spawnSync(command, args).status === 0
