import { spawnSync } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'

/** A disk that can be full: a tmpfs, of which only what is used takes memory. */
export type SmallDisk = {
  /** Nothing more fits in from now on. */
  fill(): void
  free(): void
  remove(): void
}

const roomy = 2 * 1024 ** 3

/** Mounts one on a folder, which must be empty; null where this machine doesn't permit that. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  return run('mount', ['-t', 'tmpfs', '-o', `size=${roomy},mode=0755`, 'fantail-small-disk', folder])
    ? diskOf(folder)
    : null
}

/** The small disk that a folder lies on, if it does. */
export function smallDiskAt(folder: string): SmallDisk | null {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => /^fantail-small-disk (\S+) /.exec(line)?.[1] ?? [])
    .find((place) => `${folder}/`.startsWith(`${place}/`))
  return mounted ? diskOf(mounted) : null
}

const diskOf = (folder: string): SmallDisk => ({
  fill() {
    // A disk that grows smaller costs no memory, as a file that fills it would. It can't be smaller than what is used, and others
    // write meanwhile.
    for (let tries = 0; tries < 50; tries++) {
      const { blocks, bfree, bsize } = statfsSync(folder)
      if (resize(folder, (blocks - bfree) * bsize)) return
    }
    throw new Error(`${folder} could not be filled`)
  },
  free() {
    if (!resize(folder, roomy)) throw new Error(`${folder} could not be freed`)
  },
  // What is still open there keeps it until it is closed.
  remove: () => void run('umount', ['--lazy', folder]),
})

const resize = (folder: string, bytes: number): boolean => run('mount', ['-o', `remount,size=${bytes}`, folder])

const run = (command: string, args: string[]): boolean => spawnSync(command, args).status === 0
