import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const outside = new Set(['node_modules', 'dist', '.data', '.git', 'test-results', 'screens'])
const longest = 140

test('no line of a source file is longer than 140 columns', () => {
  // Leave out migrations, because a migration must not change once it has been applied.
  const paths = globSync('**/*.{ts,tsx,mjs,js,css,sql}', { exclude: (path) => outside.has(path) }).filter(
    (path) => !path.replaceAll('\\', '/').startsWith('db/migrations/'),
  )
  expect(paths.length).toBeGreaterThan(1_000)
  const tooLong = paths.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > longest ? [`${path}:${index + 1} has ${line.length} columns`] : [])),
  )
  expect(tooLong).toEqual([])
})
