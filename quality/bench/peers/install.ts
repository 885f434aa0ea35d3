import { mkdirSync, writeFileSync } from 'node:fs'
import { type Group, startGroup } from './group.ts'
import type { Peer } from './peer.ts'

/** Far more than it takes over a slow line. */
export const longestInstallMs = 600_000

// No script of a package's is run: what these need of compiled code their packages bring along.
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
/** Without a network it is soon known. */
const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']

/** Begins to bring its packages from the registry into a folder, with a manifest of its own. */
export function startInstall({ packages }: Pick<Peer, 'packages'>, folder: string): Group {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true, dependencies: packages }))
  const { DATABASE_URL: _, ...env } = process.env
  return startGroup('npm', ['install', ...options, ...patience], { cwd: folder, env })
}
