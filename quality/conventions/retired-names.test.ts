import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findRetiredNames, parseRetiredNames } from './retired-names.ts'

const retired = parseRetiredNames(readFileSync(new URL('retired-names.txt', import.meta.url), 'utf8'))
const paths = globSync(
  '{app,conformance,demo,desk,features,kit,operator,providers,quality,simulators}/**/*.{ts,tsx}',
).filter((path) => !basename(path).startsWith('retired-names'))

test('no retired identifier, file name or phrase is used again', () => {
  expect(paths.length).toBeGreaterThan(2_000)
  expect(retired.length).toBeGreaterThan(100)
  expect(paths.flatMap((path) => findRetiredNames(path, readFileSync(path, 'utf8'), retired))).toEqual([])
})

describe('checking for retired names', () => {
  const names = parseRetiredNames('identifier\tkeptFor\nfile\tkept-for.ts\nphrase\tNobody was told.\n')

  test.each([
    ['kit/cached.ts', 'const read = keptFor(1)', 'kit/cached.ts: keptFor'],
    ['kit/kept-for.ts', '', 'kit/kept-for.ts: kept-for.ts'],
    ['kit/cached.ts', '// Nobody was told.', 'kit/cached.ts: Nobody was told.'],
  ])('the check for retired names finds one in %s', (path, text, fault) =>
    expect(findRetiredNames(path, text, names)).toEqual([fault]),
  )

  test('the check for retired names accepts a longer name that merely contains a retired name', () =>
    expect(findRetiredNames('kit/cached.ts', 'const keptForever = 1', names)).toEqual([]))
})
