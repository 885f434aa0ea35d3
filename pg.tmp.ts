import { spawnSync } from 'node:child_process'
import { borrowPostgres } from './testing/local-postgres.ts'
const postgres = borrowPostgres()
try {
  spawnSync('npx', ['vitest', 'run', '--project', 'postgres', ...process.argv.slice(2)], { stdio: 'inherit', env: { ...process.env, DATABASE_URL: postgres.url }, timeout: 500_000 })
} finally { postgres.giveBack() }
