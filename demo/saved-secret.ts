import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigFault } from '#kit/server/config.ts'

/**
 * The demo makes its own secret and keeps it beside its data, so that a restart reads what it sealed.
 * @throws ConfigFault when the one that is there is not whole: with another, nothing that was sealed could be read
 */
export function savedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret')
  const draft = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
    // It has its name once it is whole, and of two processes one is first.
    nameWhole(draft, file)
  } catch (error) {
    if (!isThere(error)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const secret = readFileSync(file, 'utf8')
  if (/^[0-9a-f]{64}$/.test(secret)) return secret
  throw new ConfigFault([
    `The key in ${file} is ${secret === '' ? 'empty' : 'not whole'}. ` +
      `Put the file back from a copy, or remove ${dataDir} to begin anew with nothing in it.`,
  ])
}

const isThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST'

function nameWhole(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (isThere(error)) throw error
    // Folders that a container shares with its host, and some sticks, have no second names.
    copyFileSync(draft, file, constants.COPYFILE_EXCL)
  }
}
