/** What `npm run test:statements` runs: the API tests on PostgreSQL, and then the plans of every statement that they had asked. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { borrowPostgres } from '../local-postgres.ts'
import { conclude, vitest } from '../tally.ts'
import { statementsFolder } from './collect.ts'

const folder = mkdtempSync(join(tmpdir(), 'fantail-statements-'))
const borrowed = process.env['DATABASE_URL'] ? null : await borrowPostgres()
try {
  const env = { DATABASE_URL: borrowed?.url ?? process.env['DATABASE_URL'] ?? '', [statementsFolder]: folder }
  conclude([
    await vitest('API tests on PostgreSQL', ['postgres-api'], { minutes: 30, env }),
    await vitest('plans of all statements', ['statements'], { minutes: 2, env }),
  ])
} finally {
  await borrowed?.giveBack()
  rmSync(folder, { recursive: true, force: true })
}
