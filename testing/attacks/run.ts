/** What `npm run test:attacks` does: the attacks by themselves, with `--long` more values and more repeats. Fails on any finding. */
import { check, conclude, impossible, vitest } from '../tally.ts'

const long = process.argv.includes('--long')

const build = await check('portal build', 'node', ['app/build.ts'])
conclude([
  build,
  build.failed > 0
    ? impossible('attacks', 'There is no portal to attack.')
    : await vitest('attacks', ['attacks'], { minutes: long ? 60 : 15, env: { ATTACKS: long ? 'long' : 'short' } }),
])
