import { defineConfig } from 'vitest/config'
import { createDiaryReporter, diaryVariable } from './quality/runner/test-diary.ts'
import { LongestFirstSequencer } from './quality/runner/longest-first.ts'
import { keepTemporaryFilesInMemory } from './quality/support/memory-scratch.ts'
import { cssClassNames } from './quality/support/css-class-names.ts'

keepTemporaryFilesInMemory()

const diary = process.env[diaryVariable]

const everywhere = ['**/node_modules/**', '**/dist/**', '**/.data/**']
const needsServer = ['**/*.api.test.ts']
// Two of everything, or a process that dies: they take their time, and say most on a real server.
const hard = ['**/*.{race,kill}.test.ts']
const needsPostgres = ['**/*.postgres.test.ts']
// The demo keeps its world in the embedded database, simulators and adapters have none of the product.
const withoutServer = ['{demo,simulators,providers}/**/*.api.test.ts']
// They render as the server does, too. React warns of two renderers of one thing, so these have a process of their own.
const asTheServerDoes = [
  'app/web/{render-page,unavailable}.test.tsx',
  'features/dashboard/web/dashboard.web.test.tsx',
  'kit/web/{card/CardFields,form/use-form,query/use-query}.web.test.tsx',
]

/** Unit tests of the tools around the product, and of the simulators and adapters at its edges. */
const aroundTheProduct = ['{conformance,demo,deploy,operator,providers,quality,simulators}/**/*.test.ts']

// They wait for answers more than others do: with four of them two processors are never idle, and the whole takes two thirds of the time.
const calls = 4

// A process that runs many files collects what they leave behind seldom and by itself: threads that help only wake each other.
const forManyFiles = ['--single-threaded-gc', '--max-semi-space-size=32']

const onEmbedded = {
  // Each file has a world of its own; what a process has read and compiled it need not read again for the next.
  isolate: false,
  maxWorkers: calls,
  execArgv: forManyFiles,
  globalSetup: ['quality/templates/folder.ts'],
  setupFiles: ['quality/support/silence.ts'],
  // Whatever the machine's environment says, these run on the embedded database.
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
    // Most of what takes long waits for something.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirstSequencer },
    restoreMocks: true,
    // Of the library's second a busy machine can take all.
    expect: { poll: { timeout: 30_000 } },
    unstubGlobals: true,
    unstubEnvs: true,
    tags: [
      {
        name: 'slow',
        description:
          'Moves the clock far, waits for an outage or takes seconds: left to `npm run test:rest`, which CI runs, too.',
      },
      {
        name: 'journey',
        description: 'One of the main jobs of a customer or of staff, in a browser: part of `npm test`.',
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
          // Reading React and the pages anew for each file would take as long as their tests.
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
          // As on the embedded database.
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
          // One file after the other: what they measure is time.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          include: ['quality/attacks/*.attack.ts'],
          exclude: everywhere,
          globalSetup: ['quality/templates/portal-build.ts', 'quality/templates/folder.ts'],
          // A process of their own: here the product has doors for weaknesses on purpose.
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
          // The file that all mails and texts of the year are written to.
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
