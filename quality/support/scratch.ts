import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

// Where Linux keeps files in memory.
const memory = '/dev/shm'
const prefix = 'fantail-scratch-'
/** So much has to be free there, in bytes: three tests at once write a tenth of it. */
const roomBytes = 5 * 1024 ** 3

/**
 * Has this process, and those it starts, keep their temporary files in memory where there is room for it, until it ends: to copy a
 * database takes a tenth of the time, and on the disk of a rented machine that is what many tests wait for.
 */
export function keepScratchInMemory(): void {
  if (!existsSync(memory) || roomIn(memory) < roomBytes || tmpdir().startsWith(join(memory, prefix))) return
  removeLeftBehind()
  const folder = join(memory, `${prefix}${process.pid}`)
  // Others may pass: PostgreSQL runs as a user of its own, in a folder below.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.min(bavail * bsize, freemem())
}

/** What a run that was killed could not remove would take memory until the machine is started anew. */
function removeLeftBehind(): void {
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix))) {
    if (!existsSync(`/proc/${name.slice(prefix.length)}`)) rmSync(join(memory, name), { recursive: true, force: true })
  }
}
