import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { collectNames } from './fixed/collect-names.ts'

const kinds: Record<string, number> = {
  routes: 240,
  pages: 70,
  fields: 3_000,
  'query-parameters': 30,
  'operator-fields': 25,
  'operator-answers': 150,
  // Property names with an underscore are JSON fields or columns. Text in capitals is a state, a setting or a provider's code.
  underscored: 500,
  capitals: 100,
  cookies: 6,
  headers: 35,
  settings: 80,
  commands: 120,
  metrics: 120,
  alerts: 50,
  work: 70,
  columns: 600,
  'column-values': 200,
  checks: 50,
  migrations: 70,
  'audit-events': 90,
  'audit-details': 40,
  'event-keys': 40,
  'message-kinds': 30,
  'limit-keys': 70,
  'key-purposes': 12,
  'call-keys': 12,
  locks: 4,
  premises: 7,
  'browser-storage': 25,
}

const folder = 'quality/conventions/fixed'
let found: Map<string, string[]>

beforeAll(async () => {
  found = await collectNames()
})

test('every category of names that must not be renamed has its own list file, and no other list files exist', () => {
  expect(
    globSync(`${folder}/*.txt`)
      .map((path) => basename(path, '.txt'))
      .sort(),
  ).toEqual(Object.keys(kinds).sort())
  expect([...found.keys()].sort()).toEqual(Object.keys(kinds).sort())
})

test.each(Object.entries(kinds))('the fixed names of the kind “%s” match those in its list', (kind, minimum) => {
  const path = `${folder}/${kind}.txt`
  const fixed = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const now = found.get(kind) ?? []
  const faults = [
    ...fixed.filter((name) => !now.includes(name)).map((name) => `missing: ${name}`),
    ...now.filter((name) => !fixed.includes(name)).map((name) => `new: ${name}`),
  ]
  if (faults.length > 0) throw new Error([adviceOn(path), ...faults].join('\n'))
  expect(fixed).toEqual([...new Set(fixed)].sort())
  expect(now.length).toBeGreaterThanOrEqual(minimum)
})

const adviceOn = (path: string): string =>
  'Something outside the code knows these names, so renaming code must not change them. ' +
  `A deliberate addition or removal is written into ${path} by hand. ` +
  `If only the code around them was renamed, change what the modules in ${folder} look for.`
