import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { ConfigError } from './config.ts'
import { ensureFolderSpace } from './data-folder.ts'
import { findDamagedTables } from './embedded-damage.ts'
import { lockFolder } from './folder-lock.ts'

// By default, PostgreSQL keeps up to 128 MB of pages in memory. The demo's entire database takes a fifth of that.
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

// V8 would optimise this code on threads that are needed for other work during startup, although most of the code runs only once.
setFlagsFromString('--wasm-tiering-budget=100000000')

/** Required disk space in MB. A new database takes up 40 MB, and its write-ahead log grows by 16 MB at a time. */
const requiredMegabytes = { toMake: 60, toOpen: 16 }

/** An open embedded database. Only one process at a time can use its folder. */
export type EmbeddedDatabase = { pglite: PGlite; hasFiles(): boolean; close(): Promise<void> }

/**
 * Opens the embedded database in `folder`, creating it if there is none. `null` opens a database in memory.
 * @throws ConfigError with a one-line message if the database is damaged or another process is using the folder
 */
export async function openEmbeddedDatabase(folder: string | null): Promise<EmbeddedDatabase> {
  if (!folder) {
    const pglite = await PGlite.create('memory://', { startParams })
    return { pglite, hasFiles: () => true, close: () => pglite.close() }
  }
  const place = join(folder, 'pg')
  const isNew = isMissingOrEmpty(place)
  ensureFolderSpace(folder, isNew ? requiredMegabytes.toMake : requiredMegabytes.toOpen)
  // Two processes using the same folder would destroy the database, because neither sees the other's writes.
  const lock = lockFolder(folder)
  try {
    const pglite = await openLockedDatabase(folder, place)
    const hasFiles = () => existsSync(join(place, 'PG_VERSION'))
    return { pglite, hasFiles, close: () => pglite.close().finally(lock.release) }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openLockedDatabase(folder: string, place: string): Promise<PGlite> {
  // Check the folder again while holding the lock, because the process that held the lock before may have created the database.
  if (isMissingOrEmpty(place)) await createDatabase(folder, place)
  // Without this check, the PGlite library would create an empty database next to the remaining files.
  else if (!existsSync(join(place, 'PG_VERSION')))
    throw createIncompleteDbError(folder, `The embedded database in ${place} is incomplete: PG_VERSION is missing.`)
  const pglite = await PGlite.create(place, { startParams }).catch((error: unknown) => {
    // The cause may also be a lack of permissions or memory, so the message does not say that the data is lost.
    throw new ConfigError([
      `The embedded database in ${place} cannot be opened (${firstLine(error)}). If it is damaged, or belongs to another version, ` +
        'restore the folder from a backup.',
    ])
  })
  try {
    const damagedTables = await findDamagedTables(pglite)
    if (damagedTables.length > 0)
      throw createIncompleteDbError(
        folder,
        `The embedded database in ${place} has lost rows of: ${damagedTables.join(', ')}.`,
      )
    return pglite
  } catch (error) {
    await pglite.close()
    throw error instanceof ConfigError
      ? error
      : createIncompleteDbError(folder, `The embedded database in ${place} cannot be read (${firstLine(error)}).`)
  }
}

const createIncompleteDbError = (folder: string, fault: string): ConfigError =>
  new ConfigError([`${fault} Restore the folder from a backup, or delete ${folder} to start with an empty database.`])

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 200) ?? ''

const isMissingOrEmpty = (place: string): boolean => !existsSync(place) || readdirSync(place).length === 0

const unfinishedPrefix = 'pg-unfinished-'

/**
 * Creates the database in a child process, because creating one takes twice as much memory as using it, and a process never gives that
 * memory back. The folder gets its name only once the database is complete, so a start that is killed leaves nothing that looks like a
 * database.
 */
async function createDatabase(folder: string, place: string): Promise<void> {
  for (const left of readdirSync(folder).filter((name) => name.startsWith(unfinishedPrefix)))
    rmSync(join(folder, left), { recursive: true, force: true })
  const temporaryFolder = mkdtempSync(join(folder, unfinishedPrefix))
  try {
    await runCreationProcess(temporaryFolder)
    renameToDatabase(temporaryFolder, place)
  } catch (error) {
    rmSync(temporaryFolder, { recursive: true, force: true })
    throw error
  }
}

/**
 * Gives the new database's folder its final name.
 * @throws ConfigError if another process that started at the same time was first; that process's database is left as it is
 */
function renameToDatabase(making: string, place: string): void {
  try {
    // Some systems cannot rename a folder onto an existing one, even if that is empty.
    if (existsSync(place)) rmdirSync(place)
    renameSync(making, place)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new ConfigError([
      `The new embedded database could not be moved to ${place} (${code}). Did another process start with the same folder?`,
    ])
  }
}

async function runCreationProcess(folder: string): Promise<void> {
  // The child process runs its program only once, so optimising the code would take longer than it saves.
  const child = spawn(process.execPath, ['--liftoff-only', join(import.meta.dirname, 'make-embedded.ts'), folder], {
    // When this process ends for any reason, the child process's standard input is closed, so the child notices.
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text))
  child.on('error', reject)
  child.on('close', (code, signal) => {
    if (signal) errorOutput ||= `what makes it was ended by ${signal}`
    resolve(code)
  })
  try {
    if ((await promise) !== 0) throw new ConfigError([creationErrorMessage(folder, errorOutput)])
  } finally {
    process.off('exit', end)
  }
}

function creationErrorMessage(folder: string, complaint: string): string {
  const knownReason = /errno: 51\b|ENOSPC/.test(complaint)
    ? 'its disk is full'
    : (/^\w*Error.*$/m.exec(complaint)?.[0] ?? '')
  return `The embedded database could not be made in ${folder}: ${knownReason || complaint.trim().split('\n')[0]}`
}
