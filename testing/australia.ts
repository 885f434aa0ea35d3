/** What `npm run test:australia` runs: activation, transfers and invoices in a browser once more, with `MARKET=AU`. */
import { findChromium } from './chromium.ts'
import { type Tally, check, conclude, impossible, vitest } from './tally.ts'

const build = await check('portal build', 'node', ['app/build.ts'])
conclude([
  build,
  build.failed === 0 ? await browserTests() : impossible('browser tests', 'There is no build to look at.'),
])

async function browserTests(): Promise<Tally> {
  try {
    return await vitest('browser tests in Australia', ['browser'], {
      files: ['activation', 'transfer', 'invoices', 'australia'].map((name) => `e2e/${name}.e2e.ts`),
      minutes: 15,
      env: { CHROMIUM_PATH: await findChromium(), MARKET: 'AU' },
    })
  } catch (error) {
    return impossible('browser tests', (error as Error).message)
  }
}
