/** What `npm run test:postgres` runs: API, race and kill tests on PostgreSQL, the one of `DATABASE_URL` or a local one. */
import { borrowPostgres } from './local-postgres.ts'
import { explainedTests } from './statements/explained.ts'
import { type Tally, conclude, impossible, vitest } from './tally.ts'

// They end the tests, which are told too; after that what was borrowed is given back.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

const given = process.env['DATABASE_URL']

conclude(given ? await testsOn(given) : await testsOnLocal())

async function testsOnLocal(): Promise<Tally[]> {
  try {
    const postgres = await borrowPostgres()
    try {
      return await testsOn(postgres.url)
    } finally {
      await postgres.giveBack()
    }
  } catch (error) {
    return [impossible('PostgreSQL tests', (error as Error).message)]
  }
}

async function testsOn(url: string): Promise<Tally[]> {
  const env = { DATABASE_URL: url }
  // Each may take three times what it needs on a quiet machine with two slow processors.
  return [
    ...(await explainedTests(url)),
    // What one of them waits for, another has the processors for; what is measured is a ratio, or has an end that is far away.
    await vitest('PostgreSQL, race and kill tests', ['postgres'], { minutes: 29, workers: 5, env }),
  ]
}
