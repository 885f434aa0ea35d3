import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { misnamed, rolesIn } from './names.ts'

const tour = readFileSync('docs/tour.md', 'utf8')
const paths = globSync('features/**/*.{ts,tsx}').map((path) => path.replaceAll('\\', '/'))

test('the files of every slice say their role by their names, as the tour has it', () => {
  expect(paths.length).toBeGreaterThan(400)
  expect(misnamed(paths, rolesIn(tour))).toEqual([])
})

test('the tour names no role that no file has', () => {
  const roles = rolesIn(tour)
  expect(roles.size).toBeGreaterThan(10)
  expect([...roles].filter((role) => !paths.some((path) => path.includes(`.${role}.ts`)))).toEqual([])
})

describe('the check itself', () => {
  const roles = rolesIn('| `<x>.contract.ts` | … |\n| `server/<x>.store.ts`, `.jobs.ts` | … |\n| `server/<x>.ts` | … |')

  test('roles are what stands before the ending', () => expect([...roles]).toEqual(['contract', 'store', 'jobs']))

  test.each([
    'features/a/a.contract.ts',
    'features/a/server/b.store.ts',
    'features/a/server/b-and-c.ts',
    'features/a/server/b.store.test.ts',
    'features/a/any.kill.test.ts',
    'features/a/web/Any.tsx',
  ])('%s is well named', (path) => expect(misnamed([path], roles)).toEqual([]))

  test.each([
    'features/a/a.helpers.ts',
    'features/a/server/b.charge.ts',
    'features/a/server/b-store.ts',
    'features/a/server/B.ts',
  ])('%s is not', (path) => expect(misnamed([path], roles)).toEqual([path]))
})
