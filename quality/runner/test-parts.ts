import { runExplainedTests } from '#quality/query-plans/run-explained-tests.ts'
import { check, type Tally, vitest } from './test-tally.ts'

// The time limits are only there to end parts that hang. On two idle processors, a part takes no more than a quarter of its limit.

export async function runQuickParts(): Promise<Tally[]> {
  return [
    await check('types', 'tsc', ['--noEmit', '-p', '.']),
    await check('lint', 'oxlint', []),
    await check('portal build', 'node', ['app/build.ts']),
    await check('size budget', 'node', ['quality/bench/budget.ts']),
    await vitest('unit tests', ['unit'], { minutes: 8 }),
    await vitest('web tests', ['web', 'web-server'], { minutes: 8 }),
    await vitest('API tests', ['api'], { minutes: 25, tags: '!slow' }),
    await vitest('journeys in a browser', ['browser'], { minutes: 8, tags: 'journey', files: journeyFiles }),
  ]
}

export async function runRemainingParts(): Promise<Tally[]> {
  return [
    await vitest('unit tests of tools, adapters and simulators', ['tools'], { minutes: 5 }),
    await vitest('API tests of demo, simulators and adapters', ['tools-api'], { minutes: 8 }),
    await vitest('attacks', ['attacks'], { minutes: 20 }),
    await vitest('browser tests', ['browser'], { minutes: 70, tags: '!journey' }),
    ...(await runPostgresParts()),
  ]
}

export const runOrderFaultTests = (): Promise<Tally> =>
  check('orders under faults', 'node', ['quality/faults/run.ts'], { minutes: 10 })

export async function runPostgresParts(): Promise<Tally[]> {
  return [
    ...(await runExplainedTests()),
    // Five workers keep two processors busy, because most of these tests spend their time waiting for other processes.
    await vitest('PostgreSQL, race and kill tests', ['postgres'], { minutes: 65, workers: 5 }),
  ]
}

/** Files that contain a test tagged `journey`. Listing them avoids starting a portal for all the others. */
const journeyFiles = ['activation', 'buying', 'accounts', 'account-details', 'desk-day'].map(
  (name) => `quality/e2e/${name}.e2e.ts`,
)
