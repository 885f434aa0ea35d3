import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from './config.ts'

/**
 * Reserves a data folder for this process until `release`. SQLite holds an operating system lock, which is released however the process
 * dies. A process that is merely suspended keeps the lock.
 * @throws ConfigError with a one-line message if another process is using the folder
 */
export function lockFolder(folder: string): { release(): void } {
  const lock = new DatabaseSync(join(folder, 'in-use.lock'), { timeout: 0 })
  const owner = join(folder, 'in-use.by')
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!isLocked(error)) throw error
    throw new ConfigError([
      `${folder} (DATA_DIR) is already in use by ${readLockOwner(owner)}. Stop that process, or start this one with another DATA_DIR.`,
    ])
  }
  writeFileSync(owner, `process ${process.pid} on ${hostname()}`)
  return { release: () => lock.close() }
}

const sqliteBusyCode = 5

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusyCode

/**
 * Reads which process is using the folder. That process writes its name after it gets the lock, so the file may be missing for a moment.
 */
function readLockOwner(file: string): string {
  try {
    return readFileSync(file, 'utf8') || 'another process'
  } catch {
    return 'another process'
  }
}
