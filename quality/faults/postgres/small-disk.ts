import { spawnSync } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'

/** A disk that can be filled up. It is a tmpfs, which only uses as much memory as it has content. */
export type SmallDisk = {
  fill(): void
  free(): void
  remove(): void
}

const roomy = 2 * 1024 ** 3

/** Mounts a small disk on an empty folder. Returns null if the machine does not permit mounting. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  return run('mount', ['-t', 'tmpfs', '-o', `size=${roomy},mode=0755`, 'fantail-small-disk', folder])
    ? createSmallDisk(folder)
    : null
}

export function findSmallDisk(folder: string): SmallDisk | null {
  const mountTable = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => /^fantail-small-disk (\S+) /.exec(line)?.[1] ?? [])
    .find((place) => `${folder}/`.startsWith(`${place}/`))
  return mountTable ? createSmallDisk(mountTable) : null
}

const createSmallDisk = (folder: string): SmallDisk => ({
  fill() {
    /*
     * Shrink the disk instead of filling it with a file, which would cost memory. Keep trying, because the disk cannot become smaller than
     * its content, and other processes may be adding to that at the same time.
     */
    for (let tries = 0; tries < 50; tries++) {
      const { blocks, bfree, bsize } = statfsSync(folder)
      if (resizeDisk(folder, (blocks - bfree) * bsize)) return
    }
    throw new Error(`${folder} could not be filled`)
  },
  free() {
    if (!resizeDisk(folder, roomy)) throw new Error(`${folder} could not be freed`)
  },
  // Unmount lazily, because the disk stays busy until all open files are closed.
  remove: () => void run('umount', ['--lazy', folder]),
})

const resizeDisk = (folder: string, bytes: number): boolean => run('mount', ['-o', `remount,size=${bytes}`, folder])

const run = (command: string, args: string[]): boolean => spawnSync(command, args).status === 0
