import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findMisnamedFiles, extractDocumentedRoles } from './file-names.ts'

const tour = readFileSync('docs/tour.md', 'utf8')
const paths = globSync('features/**/*.{ts,tsx}').map((path) => path.replaceAll('\\', '/'))

test('if a feature file’s name ends with a role, docs/tour.md lists that role', () => {
  expect(paths.length).toBeGreaterThan(400)
  expect(findMisnamedFiles(paths, extractDocumentedRoles(tour))).toEqual([])
})

test('every file role listed in docs/tour.md is used by a feature', () => {
  const roles = extractDocumentedRoles(tour)
  expect(roles.size).toBeGreaterThan(10)
  expect([...roles].filter((role) => !paths.some((path) => path.includes(`.${role}.ts`)))).toEqual([])
})

describe('checking file names', () => {
  const roles = extractDocumentedRoles(
    '| `<x>.contract.ts` | … |\n| `server/<x>.store.ts`, `.jobs.ts` | … |\n| `server/<x>.ts` | … |',
  )

  test('the roles that file names may end with are read from the table in docs/tour.md', () =>
    expect([...roles]).toEqual(['contract', 'store', 'jobs']))

  test.each([
    'features/a/a.contract.ts',
    'features/a/server/b.store.ts',
    'features/a/server/b-and-c.ts',
    'features/a/server/b.store.test.ts',
    'features/a/any.kill.test.ts',
    'features/a/web/Any.tsx',
  ])('accepts the file name %s', (path) => expect(findMisnamedFiles([path], roles)).toEqual([]))

  test.each([
    'features/a/a.helpers.ts',
    'features/a/server/b.charge.ts',
    'features/a/server/b-store.ts',
    'features/a/server/B.ts',
  ])('rejects the file name %s', (path) => expect(findMisnamedFiles([path], roles)).toEqual([path]))
})
