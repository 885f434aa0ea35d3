import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

// Linux keeps files in this folder in memory.
const memoryFolder = '/dev/shm'
const folderPrefix = 'fantail-scratch-'
/** The number of bytes that must be free in the folder. Three test files in parallel use about a tenth of that. */
const minFreeBytes = 5 * 1024 ** 3

/**
 * If there is room, makes this process and its children keep temporary files in memory until this process ends. Copying a database then
 * takes a tenth of the time that a slow disk needs, and many tests have to wait for such a copy.
 */
export function keepTemporaryFilesInMemory(): void {
  if (
    !existsSync(memoryFolder) ||
    readFreeBytes(memoryFolder) < minFreeBytes ||
    tmpdir().startsWith(join(memoryFolder, folderPrefix))
  )
    return
  removeStaleFolders()
  const folder = join(memoryFolder, `${folderPrefix}${process.pid}`)
  // Let other users access the folder, because PostgreSQL runs as a different user in a subfolder.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.min(bavail * bsize, freemem())
}

/** Removes folders left behind by runs that were killed, because they would use up memory until the machine is restarted. */
function removeStaleFolders(): void {
  for (const name of readdirSync(memoryFolder).filter((each) => each.startsWith(folderPrefix))) {
    if (!existsSync(`/proc/${name.slice(folderPrefix.length)}`)) removeIfPossible(join(memoryFolder, name))
  }
}

/** A killed test may have left a file system mounted in its folder, which cannot be removed then. That must not fail the next run. */
function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    console.error(`The files of an earlier test run could not be removed from ${folder}: ${String(error)}`)
  }
}
