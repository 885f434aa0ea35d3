import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '#kit/server/config.ts'

/**
 * Creates the demo's secret key and stores it next to the demo's data, so that stored values can be decrypted after a restart.
 * @throws ConfigError if the stored key is incomplete, because a new key could not decrypt anything
 */
export function loadOrCreateSecret(dataDir: string): string {
  const file = join(dataDir, 'secret')
  const draft = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
    // The key file gets its final name only once it is complete. If two processes start at the same time, both use the key saved first.
    linkOrCopyFile(draft, file)
  } catch (error) {
    if (!isFileExistsError(error)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const secret = readFileSync(file, 'utf8')
  if (/^[0-9a-f]{64}$/.test(secret)) return secret
  throw new ConfigError([
    `The key in ${file} is ${secret === '' ? 'empty' : 'incomplete'}. ` +
      `Restore the file from a backup, or delete ${dataDir} to start with an empty demo.`,
  ])
}

const isFileExistsError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'

function linkOrCopyFile(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (isFileExistsError(error)) throw error
    // Copy the file where hard links are not supported, such as in folders shared with a container and on some USB sticks.
    copyFileSync(draft, file, constants.COPYFILE_EXCL)
  }
}
