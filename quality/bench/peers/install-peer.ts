import { mkdirSync, writeFileSync } from 'node:fs'
import { type Group, startGroup } from './process-group.ts'
import type { Peer } from './peer.ts'

/** The installation's timeout in milliseconds, long enough for a slow connection. */
export const maxInstallMs = 600_000

// npm options that skip install scripts. The packages already include their compiled code.
const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
const fetchRetryOptions = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']

export function startInstall({ packages }: Pick<Peer, 'packages'>, folder: string): Group {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true, dependencies: packages }))
  const { DATABASE_URL: _, ...env } = process.env
  return startGroup('npm', ['install', ...npmOptions, ...fetchRetryOptions], { cwd: folder, env })
}
