/**
 * The program of `npm test`. With `rest`, it runs what a landing needs beyond that, except `npm run test:faults`. With `postgres`, it runs
 * only what needs PostgreSQL. With `query-plans`, it runs only the API tests on PostgreSQL and checks the plans of their statements. With
 * `all`, it runs everything. A failed part does not stop the others.
 */
import { orderFaults, postgresParts, quickParts, remainingParts } from './parts.ts'
import { explainedTests } from '#quality/query-plans/explained.ts'
import { conclude } from './tally.ts'

// Both signals end the running tests, too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

const [which = 'quick'] = process.argv.slice(2)
if (which === 'quick') conclude(await quickParts())
else if (which === 'rest') conclude(await remainingParts())
else if (which === 'all') conclude([...(await quickParts()), ...(await remainingParts()), await orderFaults()])
else if (which === 'postgres') conclude(await postgresParts())
else if (which === 'query-plans') conclude(await explainedTests())
else throw new Error(`There is no part "${which}": use rest, postgres, query-plans or all.`)
