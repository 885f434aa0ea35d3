import { defineConfig } from 'vitest/config'
import { createDiaryReporter, diaryVariable } from './quality/runner/test-diary.ts'
import { LongestFirstSequencer } from './quality/runner/longest-first.ts'
import { keepTemporaryFilesInMemory } from './quality/support/memory-scratch.ts'
import { cssClassNames } from './quality/support/css-class-names.ts'

keepTemporaryFilesInMemory()

const diary = process.env[diaryVariable]

const everywhere = ['**/node_modules/**', '**/dist/**', '**/.data/**']
const needsServer = ['**/*.api.test.ts']
// Tests of simultaneous actions and of killed processes. They take long, and are most meaningful on a PostgreSQL server.
const hard = ['**/*.{race,kill}.test.ts']
const needsPostgres = ['**/*.postgres.test.ts']
// API tests that need no PostgreSQL server: the demo uses the embedded database, and simulators and adapters use no database.
const withoutServer = ['{demo,simulators,providers}/**/*.api.test.ts']
// Tests that also render as the server does. React warns about two renderers in one process, so each of these files gets its own process.
const asTheServerDoes = [
  'app/web/{render-page,unavailable}.test.tsx',
  'features/dashboard/web/dashboard.web.test.tsx',
  'kit/web/{card/CardFields,form/use-form,query/use-query}.web.test.tsx',
]

/** Unit tests of the tools around the product, and of the simulators and adapters. */
const aroundTheProduct = ['{conformance,demo,deploy,operator,providers,quality,simulators}/**/*.test.ts']

// Maximum workers for API tests, which often wait for responses. Four workers keep two processors busy, and save a third of the time.
const calls = 4

// Node options for a process that runs many test files. Garbage collection is rare there, and faster without helper threads.
const forManyFiles = ['--single-threaded-gc', '--max-semi-space-size=32']

const onEmbedded = {
  // Test files share a process, so that modules are loaded only once. Each file creates its own test world.
  isolate: false,
  maxWorkers: calls,
  execArgv: forManyFiles,
  globalSetup: ['quality/templates/folder.ts'],
  setupFiles: ['quality/support/silence.ts'],
  // These tests always run on the embedded database, even if DATABASE_URL is set.
  env: { DATABASE_URL: '' },
  testTimeout: 180_000,
  hookTimeout: 120_000,
}

const onPostgres = {
  globalSetup: ['quality/templates/postgres-server.ts', 'quality/templates/database.ts'],
  setupFiles: ['quality/support/silence.ts'],
  testTimeout: 240_000,
  hookTimeout: 120_000,
}

const inBrowser = {
  isolate: false,
  globalSetup: ['quality/templates/portal-build.ts', 'quality/templates/chromium.ts', 'quality/templates/folder.ts'],
  exclude: everywhere,
  setupFiles: ['quality/support/silence.ts'],
  testTimeout: 240_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  plugins: [cssClassNames(import.meta.dirname)],
  test: {
    reporters: ['default', ...(diary ? [createDiaryReporter(diary)] : [])],
    pool: 'forks',
    // There are more workers than processors, because slow tests mostly wait.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirstSequencer },
    restoreMocks: true,
    // The library's default timeout of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    unstubGlobals: true,
    unstubEnvs: true,
    tags: [
      {
        name: 'slow',
        description:
          'Moves the clock far, waits for an outage or takes seconds. Runs in `npm run test:rest`, which CI also runs.',
      },
      {
        name: 'journey',
        description: 'One of the main tasks of a customer or of staff, in a browser. Part of `npm test`.',
      },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['**/*.test.ts'],
          exclude: [...everywhere, ...needsServer, ...hard, ...needsPostgres, ...aroundTheProduct],
          setupFiles: ['quality/support/silence.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'tools',
          isolate: false,
          include: aroundTheProduct,
          exclude: [...everywhere, ...needsServer, ...hard, ...needsPostgres],
          setupFiles: ['quality/support/silence.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          // Test files share a process, because loading React and the pages for each file would take as long as the tests themselves.
          isolate: false,
          include: ['**/*.test.tsx'],
          exclude: [...everywhere, ...asTheServerDoes],
          environment: './quality/support/one-window.ts',
          setupFiles: ['quality/support/silence.ts', 'quality/support/tidy.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'web-server',
          include: asTheServerDoes,
          exclude: everywhere,
          environment: 'happy-dom',
          setupFiles: ['quality/support/silence.ts', 'quality/support/tidy.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          ...onEmbedded,
          name: 'api',
          include: needsServer,
          exclude: [...everywhere, ...withoutServer],
        },
      },
      {
        extends: true,
        test: { ...onEmbedded, name: 'tools-api', include: withoutServer, exclude: everywhere },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: hard,
          exclude: everywhere,
          globalSetup: ['quality/templates/folder.ts'],
          setupFiles: ['quality/support/silence.ts'],
          env: { DATABASE_URL: '' },
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...onPostgres,
          name: 'postgres',
          include: [...hard, ...needsPostgres],
          exclude: everywhere,
          globalSetup: [...onPostgres.globalSetup, 'quality/templates/product-bundle.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...onPostgres,
          name: 'postgres-api',
          // The following three settings are the same as for API tests on the embedded database.
          isolate: false,
          maxWorkers: calls,
          execArgv: forManyFiles,
          include: needsServer,
          exclude: [...everywhere, ...withoutServer],
        },
      },
      {
        extends: true,
        test: {
          ...onPostgres,
          name: 'query-plans',
          include: ['quality/query-plans/*.query-plans.ts'],
          exclude: everywhere,
        },
      },
      {
        extends: true,
        test: {
          name: 'attacks',
          // Attack tests measure time, so their files run one after another.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          include: ['quality/attacks/*.attack.ts'],
          exclude: everywhere,
          globalSetup: ['quality/templates/portal-build.ts', 'quality/templates/folder.ts'],
          // The attack tests' setup lets them plant weaknesses in the product on purpose.
          setupFiles: ['quality/support/silence.ts', 'quality/attacks/stage.ts'],
          env: { DATABASE_URL: '' },
          testTimeout: 900_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'multi-process',
          include: ['quality/multi-process/*.multi-process.ts'],
          exclude: everywhere,
          globalSetup: ['quality/templates/portal-build.ts'],
          setupFiles: ['quality/support/silence.ts'],
          testTimeout: 300_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'scenario',
          include: ['quality/scenario/*.scenario.ts'],
          exclude: everywhere,
          globalSetup: ['quality/templates/folder.ts'],
          setupFiles: ['quality/support/silence.ts'],
          // YEAR_SHEET is the file that all emails and text messages of the scenario's year are written to.
          env: { DATABASE_URL: '', YEAR_SHEET: 'a-year.txt' },
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: { ...inBrowser, name: 'browser', include: ['quality/e2e/**/*.e2e.ts'] },
      },
      {
        extends: true,
        test: {
          ...inBrowser,
          name: 'australia',
          include: ['quality/e2e/{activation,transfer,invoices,australia}.e2e.ts'],
          env: { MARKET: 'AU' },
        },
      },
    ],
  },
})
