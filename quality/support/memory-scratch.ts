import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

// Linux keeps the files of this folder in memory.
const memoryFolder = '/dev/shm'
const folderPrefix = 'fantail-scratch-'
/** The free bytes that the folder must have. Three tests at once write a tenth of this. */
const minFreeBytes = 5 * 1024 ** 3

/**
 * Makes this process and its children keep their temporary files in memory until it ends, if there is room. A copy of a database then
 * takes a tenth of the time. On a rented machine's disk, many tests wait for that.
 */
export function keepTemporaryFilesInMemory(): void {
  if (
    !existsSync(memoryFolder) ||
    freeBytesIn(memoryFolder) < minFreeBytes ||
    tmpdir().startsWith(join(memoryFolder, folderPrefix))
  )
    return
  removeStaleFolders()
  const folder = join(memoryFolder, `${folderPrefix}${process.pid}`)
  // Other users may pass through, because PostgreSQL runs as its own user in a folder below.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.min(bavail * bsize, freemem())
}

/** Removes what killed runs have left. It would use memory until the machine is restarted. */
function removeStaleFolders(): void {
  for (const name of readdirSync(memoryFolder).filter((each) => each.startsWith(folderPrefix))) {
    if (!existsSync(`/proc/${name.slice(folderPrefix.length)}`))
      rmSync(join(memoryFolder, name), { recursive: true, force: true })
  }
}
