import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findPromiseFaults } from './documented-promises.ts'

test('docs/promises.md mentions only tests that exist', () => {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null)
  expect(findPromiseFaults(readFileSync('docs/promises.md', 'utf8'), read)).toEqual([])
})

describe('checking docs/promises.md', () => {
  const files: Record<string, string> = {
    'a.test.ts': "test('charges once', () => {})\ntest(\n  'doesn\\'t charge twice', () => {})",
  }
  const faultsOf = (...cells: string[]) =>
    findPromiseFaults(
      ['| promise | held by |', '| --- | --- |', ...cells.map((cell) => `| A card is charged once. | ${cell} |`)].join(
        '\n',
      ),
      (path) => files[path] ?? null,
    )

  test('the check of docs/promises.md accepts existing files and titles, and rows that say there is no test', () => {
    expect(
      faultsOf('`a.test.ts`', "`a.test.ts` “charges once”, “doesn't charge twice”", 'No test. It is CSS.'),
    ).toEqual([])
  })

  test('the check of docs/promises.md reports a missing file, even if the same row also names an existing file', () => {
    expect(faultsOf('`a.test.ts`<br>`b.test.ts`')).toEqual(['b.test.ts does not exist.'])
  })

  test('the check of docs/promises.md reports a quoted title that is only the beginning of a test’s title', () => {
    expect(faultsOf('`a.test.ts` “charges once”, “charges”')).toEqual([
      'a.test.ts has no test with the title “charges”.',
    ])
  })

  test('the check of docs/promises.md reports a row that neither names a test file nor says that there is no test', () => {
    expect(faultsOf('', '“charges once”')).toHaveLength(2)
  })
})
