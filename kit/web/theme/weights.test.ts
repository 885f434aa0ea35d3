import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Each font weight, and each pair of weight and size, delays the first layout. System fonts have these three weights.
const weights = new Set(['400', '600', '700'])

const sheets = globSync('{app,demo,desk,features,kit}/**/*.css')

test('style sheets use only three font weights', () => {
  expect(sheets.length).toBeGreaterThan(100)
  const others = sheets.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/font-weight:\s*([^;\s]+)/g)]
      .filter(([, weight = '']) => !weights.has(weight))
      .map(([, weight]) => `${path}: ${weight}`),
  )
  expect(others).toEqual([])
})
