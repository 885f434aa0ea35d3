import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

const sources = globSync('{app,demo,features,kit,operator,providers}/**/*.{ts,tsx}')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, source: readFileSync(path, 'utf8') }))

/** Returns the modules that a file loads immediately. Type imports load nothing, and `import()` loads later. */
const loads = (source: string): string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )[^'"]*from ['"]([^'"]+)['"]/gm)].map(([, from = '']) => from)

test('modules for metrics and traces are loaded only if metrics or traces are enabled', () => {
  const users = sources.filter(({ source }) =>
    loads(source).some((from) => from === 'prom-client' || from.startsWith('@opentelemetry/')),
  )
  const paths = users.map(({ path }) => path)
  expect(paths).toContain('app/watching/metrics.ts')
  expect(paths).toContain('app/watching/tracing.ts')
  const fileOf = (path: string, from: string): string =>
    from.startsWith('.') ? posix.join(posix.dirname(path), from) : from.replace('#', '')
  const loaders = sources.filter(
    ({ path, source }) => !paths.includes(path) && loads(source).some((from) => paths.includes(fileOf(path, from))),
  )
  expect(loaders.map(({ path }) => path)).toEqual([])
})
