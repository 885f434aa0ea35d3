import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { listExpressions, hasRepetition, findSlowText } from './slow-expressions.ts'

const outside = ['node_modules', 'dist', '.data', '.git', 'test-results', 'simulators', 'build']
const files = globSync('{kit,features,app,desk,providers,operator,conformance,db,demo}/**/*.{ts,tsx}', {
  exclude: (path) => outside.includes(path.split(/[\\/]/).at(-1) ?? ''),
})
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => path.replaceAll('\\', '/'))
const all = files.flatMap((path) =>
  listExpressions(path, readFileSync(path, 'utf8')).map((expression): [string, RegExp] => [path, expression]),
)
const expressions = [
  ...new Map(
    all
      .filter(([, expression]) => hasRepetition(expression))
      .toReversed()
      .map(([path, expression]) => [String(expression), [path, expression] as const]),
  ).values(),
]

test('Fantail’s source contains more than 60 regular expressions with unbounded repetition to check', () =>
  expect(expressions.length).toBeGreaterThan(60))

test.each(expressions)('%s: matching %s takes time proportional to the length of the text', (_path, expression) =>
  expect(findSlowText(expression)).toBeNull(),
)

describe('checking for slow regular expressions', () => {
  test.each([/\s+$/, /\s*;\s*q=/, /(?:\d+)+x/, /[a-z][a-z\d+.-]*:\/\//, /^\s*(.*?)\s*$/])(
    'reports the regular expression %s as slow',
    (expression) => expect(findSlowText(expression)).not.toBeNull(),
  )

  test.each([/^\s+/, /\s+/, /^[\w-]{1,40}$/, /\d(?:\s?\d)+(?!\d)/, /(?<!\s)\s+$/])(
    'does not report the regular expression %s as slow',
    (expression) => expect(findSlowText(expression)).toBeNull(),
  )

  test('the search for slow expressions finds every regular expression literal in a source file', () =>
    expect(listExpressions('a.ts', 'const a: RegExp = /a+/gi; x.replace(/\\//, "/")')).toEqual([/a+/gi, /\//]))
})
