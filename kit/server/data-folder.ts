import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'

const megabyte = 1_000_000

/**
 * Creates the data folder if it is missing, and checks that it is writable.
 * @throws ConfigError with a one-line message if the folder is not writable or has less than `megabytes` MB of free space
 */
export function ensureFolderSpace(folder: string, megabytes: number): void {
  const probe = join(folder, `.probe-${process.pid}`)
  let left: number
  try {
    mkdirSync(folder, { recursive: true })
    const { bavail, bsize } = statfsSync(folder)
    left = Math.floor((bavail * bsize) / megabyte)
    if (left >= megabytes) writeFileSync(probe, 'x')
    rmSync(probe, { force: true })
  } catch (error) {
    throw new ConfigError([folderErrorMessage(folder, error)])
  }
  if (left < megabytes)
    throw new ConfigError([
      `The disk with ${folder} (DATA_DIR) is full: ${left} MB are left, and ${megabytes} MB are needed. Free up space, then start again.`,
    ])
}

function folderErrorMessage(folder: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (isDiskFull(error)) return `The disk with ${folder} (DATA_DIR) is full (${code}). Free up space, then start again.`
  return `${folder} (DATA_DIR) cannot be written to (${code}): the user that runs Fantail needs write access.`
}

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))
