import { defineConfig } from 'vitest/config'
import { createTestRecordReporter, recordPathVariable } from './quality/runner/test-record.ts'
import { LongestFirstSequencer } from './quality/runner/longest-first.ts'
import { keepTemporaryFilesInMemory } from './quality/support/keep-temporary-files-in-memory.ts'
import { cssClassNames } from './quality/support/css-class-names.ts'

keepTemporaryFilesInMemory()

const diary = process.env[recordPathVariable]

const excludedFolders = ['**/node_modules/**', '**/dist/**', '**/.data/**']
const apiTests = ['**/*.api.test.ts']
// Tests of simultaneous actions and killed processes. They take a long time, and are most useful on a PostgreSQL server.
const hard = ['**/*.{race,kill}.test.ts']
const postgresTests = ['**/*.postgres.test.ts']
// API tests that need no PostgreSQL server: the demo uses the embedded database, and simulators and adapters use none.
const apiTestsWithoutPostgres = ['{demo,simulators,providers}/**/*.api.test.ts']
// Tests that also use the renderer for the server. React warns about two renderers in one process, so each file gets its own process.
const serverRenderingTests = [
  'app/web/{render-page,unavailable}.test.tsx',
  'features/dashboard/web/dashboard.web.test.tsx',
  'kit/web/{card/CardFields,form/use-form,query/use-query}.web.test.tsx',
]

/** Unit tests for tools, simulators and adapters. */
const toolTests = ['{conformance,demo,deploy,operator,providers,quality,simulators}/**/*.test.ts']

// Maximum workers for API tests, which often wait for responses. Four workers keep two processors busy, and save a third of the time.
const calls = 4

// Node options for a process that runs many test files. Garbage collection is rare in such a process, and faster without helper threads.
const manyFilesNodeOptions = ['--single-threaded-gc', '--max-semi-space-size=32']

const embeddedDatabaseOptions = {
  // Test files share a process, so that modules are loaded only once. Each file creates its own test world.
  isolate: false,
  maxWorkers: calls,
  execArgv: manyFilesNodeOptions,
  globalSetup: ['quality/templates/folder.ts'],
  setupFiles: ['quality/support/forbid-output.ts'],
  // Always use the embedded database for these tests, even if DATABASE_URL is set.
  env: { DATABASE_URL: '' },
  testTimeout: 180_000,
  hookTimeout: 300_000,
}

const postgresOptions = {
  globalSetup: ['quality/templates/postgres-server.ts', 'quality/templates/database.ts'],
  setupFiles: ['quality/support/forbid-output.ts'],
  testTimeout: 240_000,
  hookTimeout: 300_000,
}

const browserTestOptions = {
  isolate: false,
  globalSetup: ['quality/templates/portal-build.ts', 'quality/templates/chromium.ts', 'quality/templates/folder.ts'],
  exclude: excludedFolders,
  setupFiles: ['quality/support/forbid-output.ts'],
  testTimeout: 240_000,
  hookTimeout: 300_000,
}

export default defineConfig({
  plugins: [cssClassNames(import.meta.dirname)],
  test: {
    reporters: ['default', ...(diary ? [createTestRecordReporter(diary)] : [])],
    pool: 'forks',
    // Use more workers than there are processors, because slow tests spend most of their time waiting.
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
          'Moves the clock far, waits for an outage or takes half a second. Runs in `npm run test:rest`, which CI also runs.',
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
          exclude: [...excludedFolders, ...apiTests, ...hard, ...postgresTests, ...toolTests],
          setupFiles: ['quality/support/forbid-output.ts'],
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'tools',
          isolate: false,
          include: toolTests,
          exclude: [...excludedFolders, ...apiTests, ...hard, ...postgresTests],
          setupFiles: ['quality/support/forbid-output.ts'],
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          // Test files share a process, because loading React and the pages for each file would take as long as the tests themselves.
          isolate: false,
          include: ['**/*.test.tsx'],
          exclude: [...excludedFolders, ...serverRenderingTests],
          environment: './quality/support/shared-window.ts',
          setupFiles: ['quality/support/forbid-output.ts', 'quality/support/clean-up-after-tests.ts'],
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'web-server',
          include: serverRenderingTests,
          exclude: excludedFolders,
          environment: 'happy-dom',
          setupFiles: ['quality/support/forbid-output.ts', 'quality/support/clean-up-after-tests.ts'],
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          ...embeddedDatabaseOptions,
          name: 'api',
          include: apiTests,
          exclude: [...excludedFolders, ...apiTestsWithoutPostgres],
        },
      },
      {
        extends: true,
        test: {
          ...embeddedDatabaseOptions,
          name: 'tools-api',
          include: apiTestsWithoutPostgres,
          exclude: excludedFolders,
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: hard,
          exclude: excludedFolders,
          globalSetup: ['quality/templates/folder.ts'],
          setupFiles: ['quality/support/forbid-output.ts'],
          env: { DATABASE_URL: '' },
          testTimeout: 240_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          ...postgresOptions,
          name: 'postgres',
          include: [...hard, ...postgresTests],
          exclude: excludedFolders,
          globalSetup: [...postgresOptions.globalSetup, 'quality/templates/product-bundle.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...postgresOptions,
          name: 'postgres-api',
          // The next three settings are the same as for API tests on the embedded database.
          isolate: false,
          maxWorkers: calls,
          execArgv: manyFilesNodeOptions,
          include: apiTests,
          exclude: [...excludedFolders, ...apiTestsWithoutPostgres],
        },
      },
      {
        extends: true,
        test: {
          ...postgresOptions,
          name: 'query-plans',
          include: ['quality/query-plans/*.query-plans.ts'],
          exclude: excludedFolders,
        },
      },
      {
        extends: true,
        test: {
          name: 'attacks',
          // Attack tests measure time, so their files run one at a time.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          include: ['quality/attacks/*.attack.ts'],
          exclude: excludedFolders,
          globalSetup: ['quality/templates/portal-build.ts', 'quality/templates/folder.ts'],
          // The setup file lets attack tests plant weaknesses in the application on purpose.
          setupFiles: ['quality/support/forbid-output.ts', 'quality/attacks/weakness-mocks.ts'],
          env: { DATABASE_URL: '' },
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'multi-process',
          include: ['quality/multi-process/*.multi-process.ts'],
          exclude: excludedFolders,
          globalSetup: ['quality/templates/portal-build.ts'],
          setupFiles: ['quality/support/forbid-output.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'scenario',
          include: ['quality/scenario/*.scenario.ts'],
          exclude: excludedFolders,
          globalSetup: ['quality/templates/folder.ts'],
          setupFiles: ['quality/support/forbid-output.ts'],
          // YEAR_SHEET names the file that receives all emails and text messages from the simulated year.
          env: { DATABASE_URL: '', YEAR_SHEET: 'a-year.txt' },
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: { ...browserTestOptions, name: 'browser', include: ['quality/e2e/**/*.e2e.ts'] },
      },
      {
        extends: true,
        test: {
          ...browserTestOptions,
          name: 'australia',
          include: ['quality/e2e/{activation,transfer,invoices,australia}.e2e.ts'],
          env: { MARKET: 'AU' },
        },
      },
    ],
  },
})
