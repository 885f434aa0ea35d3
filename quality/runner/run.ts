/**
 * The program behind `npm test`. With `rest`, it runs everything else that a merge requires, except `npm run test:faults`. With `postgres`,
 * it runs only the tests that need PostgreSQL. With `query-plans`, it runs only the API tests on PostgreSQL and checks their statements'
 * plans. With `all`, it runs everything. If one part fails, the other parts still run.
 */
import { runOrderFaultTests, runPostgresParts, runQuickParts, runRemainingParts } from './test-parts.ts'
import { runExplainedTests } from '#quality/query-plans/run-explained-tests.ts'
import { reportResults } from './test-tally.ts'

// Ignore both signals here: they also end the running tests, whose results must still be reported.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

const [which = 'quick'] = process.argv.slice(2)
if (which === 'quick') reportResults(await runQuickParts())
else if (which === 'rest') reportResults(await runRemainingParts())
else if (which === 'all')
  reportResults([...(await runQuickParts()), ...(await runRemainingParts()), await runOrderFaultTests()])
else if (which === 'postgres') reportResults(await runPostgresParts())
else if (which === 'query-plans') reportResults(await runExplainedTests())
else throw new Error(`There is no part "${which}": use rest, postgres, query-plans or all.`)
