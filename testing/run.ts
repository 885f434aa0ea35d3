/** What `npm test` runs: everything that needs no PostgreSQL. It goes on after a failure, and says all of them. */
import { findChromium } from './chromium.ts'
import { type Tally, check, conclude, impossible, vitest } from './tally.ts'

const parts: Tally[] = [await check('types', 'tsc', ['--noEmit', '-p', '.']), await check('lint', 'oxlint', [])]

const build = await check('portal build', 'node', ['app/build.ts'])
parts.push(build)
const isBuilt = build.failed === 0

parts.push(
  isBuilt
    ? await check('size budget', 'node', ['bench/budget.ts'])
    : impossible('size budget', 'There is no build to weigh.'),
)
// Each may take three times what it needs on a quiet machine with two slow processors.
parts.push(await vitest('unit tests', ['unit'], { minutes: 4 }))
parts.push(await vitest('web tests', ['web', 'web-server'], { minutes: 3 }))
parts.push(await vitest('API tests', ['api'], { minutes: 16 }))
parts.push(
  isBuilt
    ? await vitest('attacks', ['attacks'], { minutes: 15 })
    : impossible('attacks', 'There is no build to attack.'),
)
parts.push(isBuilt ? await browserTests() : impossible('browser tests', 'There is no build to look at.'))

conclude(parts)

async function browserTests(): Promise<Tally> {
  try {
    return await vitest('browser tests', ['browser'], { minutes: 30, env: { CHROMIUM_PATH: await findChromium() } })
  } catch (error) {
    return impossible('browser tests', (error as Error).message)
  }
}
