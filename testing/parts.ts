import { findChromium } from './chromium.ts'
import { borrowPostgres } from './local-postgres.ts'
import { explainedTests } from './statements/explained.ts'
import { check, impossible, type Tally, vitest } from './tally.ts'

// The limits are three times what each part takes on two quiet processors.

/** What a contributor runs before a push: the rules of every slice, each failure once, and one browser journey for each main job. */
export async function quickParts(): Promise<Tally[]> {
  const build = await portalBuild()
  return [
    await check('types', 'tsc', ['--noEmit', '-p', '.']),
    await check('lint', 'oxlint', []),
    build,
    await check('size budget', 'node', ['bench/budget.ts']),
    await vitest('unit tests', ['unit'], { minutes: 4 }),
    await vitest('web tests', ['web', 'web-server'], { minutes: 3 }),
    await vitest('API tests', ['api'], { minutes: 10, tags: '!slow' }),
    await browserTests('journeys in a browser', build, { minutes: 4, tags: 'journey', files: journeyFiles }),
  ]
}

/** What a landing needs beyond `quickParts`, without the run of `npm run test:faults`. */
export async function remainingParts(): Promise<Tally[]> {
  const build = await portalBuild()
  return [
    await vitest('unit tests of tools, adapters and simulators', ['tools'], { minutes: 5 }),
    await vitest('slow API tests without PostgreSQL', ['api'], { minutes: 8, tags: 'slow', files: withoutPostgres }),
    build.failed > 0
      ? impossible('attacks', 'There is no build to attack.')
      : await vitest('attacks', ['attacks'], { minutes: 15 }),
    await browserTests('browser tests', build, { minutes: 30, tags: '!journey' }),
    ...(await postgresParts()),
  ]
}

/** A few hundred orders while everything goes wrong. */
export const orderFaults = (): Promise<Tally> =>
  check('orders under faults', 'node', ['testing/faults/run.ts'], { minutes: 10 })

/** API, race and kill tests on PostgreSQL: the one of `DATABASE_URL`, or a local one. */
export async function postgresParts(): Promise<Tally[]> {
  const given = process.env['DATABASE_URL']
  if (given) return testsOn(given)
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

/** Files with a test that has the tag `journey`, so that no portal is started for the others. */
const journeyFiles = ['activation', 'buying', 'accounts', 'account-details', 'desk-day'].map(
  (name) => `e2e/${name}.e2e.ts`,
)

/** API tests of parts that never use PostgreSQL: project `postgres-api` has all others. */
const withoutPostgres = ['demo/', 'simulators/', 'providers/']

const portalBuild = (): Promise<Tally> => check('portal build', 'node', ['app/build.ts'])

async function browserTests(name: string, build: Tally, options: Parameters<typeof vitest>[2]): Promise<Tally> {
  if (build.failed > 0) return impossible(name, 'There is no build to look at.')
  try {
    return await vitest(name, ['browser'], { ...options, env: { CHROMIUM_PATH: await findChromium() } })
  } catch (error) {
    return impossible(name, (error as Error).message)
  }
}

async function testsOn(url: string): Promise<Tally[]> {
  return [
    ...(await explainedTests(url)),
    // Most tests wait for another process, so five at once keep two processors busy.
    await vitest('PostgreSQL, race and kill tests', ['postgres'], {
      minutes: 29,
      workers: 5,
      env: { DATABASE_URL: url },
    }),
  ]
}
