import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Repository, findMissingReferences, extractDecisionNumbers } from './document-references.ts'

const outside = new Set(['node_modules', 'dist', '.data', '.git', 'test-results'])
const repository: Repository = {
  files: globSync('**/*', { withFileTypes: true, exclude: (entry) => outside.has(entry.name) })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      `${entry.parentPath}/${entry.name}`
        .replaceAll('\\', '/')
        .replace(`${process.cwd().replaceAll('\\', '/')}/`, '')
        .replace(/^\.\//, ''),
    ),
  scripts: Object.keys((JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts),
}

test.each(['README.md', ...globSync('docs/**/*.md')])('%s mentions only files and commands that exist', (path) => {
  expect(findMissingReferences(path, readFileSync(path, 'utf8'), repository)).toEqual([])
})

test('the README for decision records lists each record exactly once', () => {
  const list = readFileSync('docs/decisions/README.md', 'utf8')
  const decisions = globSync('docs/decisions/[0-9]*.md').map((path) => basename(path))
  expect(decisions.length).toBeGreaterThan(30)
  expect(decisions.filter((name) => list.split(`](${name})`).length !== 2)).toEqual([])
})

test('source code mentions only decision records that exist', () => {
  const records = new Set(globSync('docs/decisions/[0-9]*.md').map((path) => basename(path).slice(0, 4)))
  // Leave out migrations: once applied, a migration must not change, and that includes its comments.
  const code = repository.files.filter(
    (path) => /\.(tsx?|css|sh|service)$/.test(path) && !path.startsWith('db/migrations/'),
  )
  const named = code
    .filter((path) => path !== 'quality/conventions/document-references.test.ts')
    .map((path) => [path, extractDecisionNumbers(readFileSync(path, 'utf8'))] as const)
  expect(named.flatMap(([, numbers]) => numbers).length).toBeGreaterThan(10)
  expect(
    named.flatMap(([path, numbers]) => numbers.filter((each) => !records.has(each)).map((each) => `${path}: ${each}`)),
  ).toEqual([])
})

test.each([
  ['// See docs/decisions/0071.', ['0071']],
  ['/** Bounded (decision 0130). */', ['0130']],
  ["// Record 0148, 'SIM ending 0042'", ['0148']],
])('the text “%s” refers to the decision records %s', (text, numbers) =>
  expect(extractDecisionNumbers(text)).toEqual(numbers),
)

describe('checking documents for names that do not exist', () => {
  const small: Repository = {
    files: [
      'README.md',
      'package.json',
      'docs/tour.md',
      'docs/decisions/0001-first.md',
      'features/renewal/server/renewal.ts',
      'features/renewal/renewal.contract.ts',
    ],
    scripts: ['start', 'test', 'test:postgres'],
  }
  const missing = (text: string, path = 'docs/tour.md') => findMissingReferences(path, text, small)

  test.each([
    'See [the first decision](decisions/0001-first.md#why), [home](../README.md), ' +
      '[elsewhere](https://example.com/a.md) or [below](#below).',
    'Run `npm ci && npm start`, `npm test` and `npm run test:postgres`.',
    'A slice, `features/renewal/`, has `features/<x>/<x>.contract.ts` and `features/renewal/server/renewal.ts`.',
    'Its use case is in `server/`, as `server/<x>.ts`; its contract is `renewal.contract.ts`, any contract `<x>.contract.ts`.',
    'Contracts end in `.contract.ts`.',
    'Pages are `/demo/` and `/docs/nothing.md`; packages `@noble/ciphers` and `pg`; a type `text/plain`; a value `a.b`.',
    'Words such as features/renewal/gone.ts outside of code are words.',
  ])('the document check finds no fault in: %s', (text) => expect(missing(text)).toEqual([]))

  test.each([
    ['[gone](decisions/0002-second.md)', 'decisions/0002-second.md'],
    ['![a picture](screenshot.png)', 'screenshot.png'],
    ['`features/renewal/web/`', 'features/renewal/web/'],
    ['`features/renewal/server/renewal.store.ts`', 'features/renewal/server/renewal.store.ts'],
    ['`features/<x>/<x>.states.ts`', 'features/<x>/<x>.states.ts'],
    ['`renewal.states.ts`', 'renewal.states.ts'],
    ['`server/<x>.store.ts`', 'server/<x>.store.ts'],
    ['`.states.ts`', '.states.ts'],
    ['`simulators/`', 'simulators/'],
    ['`vite.config.ts`', 'vite.config.ts'],
    ['`npm run bench`', 'npm run bench'],
    ['```sh\nnode features/renewal/main.ts --fast\n```', 'features/renewal/main.ts'],
    ['```sh\nnpm run dev\n```', 'npm run dev'],
  ])('the document check reports a name that does not exist in: %s', (text, name) =>
    expect(missing(text)).toEqual([name]),
  )

  test('the document check resolves each link relative to the document that contains it', () => {
    expect(missing('[tour](docs/tour.md)', 'README.md')).toEqual([])
    expect(missing('[tour](docs/tour.md)')).toEqual(['docs/tour.md'])
  })

  test('a superseded decision record may mention old paths but must not contain broken links', () => {
    const record = 'Status: superseded by [0002](0002-second.md)\n\nAll is in `src/main.ts`; run `npm start`.'
    expect(missing(record, 'docs/decisions/0001-first.md')).toEqual(['0002-second.md'])
  })
})
