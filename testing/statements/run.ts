/** What `npm run test:statements` runs: the part of `npm run test:postgres` that explains every statement, alone. */
import { borrowPostgres } from '../local-postgres.ts'
import { conclude } from '../tally.ts'
import { explainedTests } from './explained.ts'

const borrowed = process.env['DATABASE_URL'] ? null : await borrowPostgres()
try {
  conclude(await explainedTests(borrowed?.url ?? process.env['DATABASE_URL'] ?? ''))
} finally {
  await borrowed?.giveBack()
}
