import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'

export function operatorAddress(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  const folder = resolve(dataDir)
  if (platform !== 'win32') return join(folder, 'operator.sock')
  return `\\\\.\\pipe\\fantail-${createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32)}`
}
