import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  buildClassName,
  deskStyleSheets,
  extractClassNames,
  portalStyleSheets,
  createClassNameShortener,
} from './class-names.ts'

const root = join(import.meta.dirname, '../..')
const bundles = { portal: portalStyleSheets, desk: deskStyleSheets }
const filesOf = ({ of, without }: typeof portalStyleSheets) => globSync(of, { cwd: root, exclude: without })

test('a CSS class name starts with the name of its file', () => {
  expect(buildClassName('menu', '/portal/kit/web/chrome/Header.module.css')).toBe('Header_menu')
})

test.each(Object.keys(bundles))(
  'no two CSS modules of the %s have the same file name, so all class names differ',
  (of) => {
    const names = filesOf(bundles[of as keyof typeof bundles]).map((file) => basename(file))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((file, index) => names.indexOf(file) !== index)).toEqual([])
  },
)

test.each(Object.keys(bundles))(
  'a build of the %s gives every class a unique name of two letters, in whatever order they are requested',
  (of) => {
    const sheets = bundles[of as keyof typeof bundles]
    const [client, server] = [createClassNameShortener(root, sheets), createClassNameShortener(root, sheets)]
    const classes = filesOf(sheets).flatMap((file) =>
      [...new Set(readFileSync(join(root, file), 'utf8').match(/(?<=^|[\s,>+~(])\.[a-z][\w-]*/gi))].map(
        (name) => [name.slice(1), join(root, file)] as const,
      ),
    )
    expect(classes.length).toBeGreaterThan(200)
    const names = classes.map(([name, file]) => client(name, file))
    expect(
      classes
        .toReversed()
        .map(([name, file]) => server(name, file))
        .toReversed(),
    ).toEqual(names)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[b-zB-Z][a-zA-Z]$/)
  },
)

test('shortening an unknown class or animation name throws an error', () => {
  expect(() =>
    createClassNameShortener(root, portalStyleSheets)('nothing', join(root, 'kit/web/chrome/Header.module.css')),
  ).toThrow('no class and no animation nothing')
})

describe('a component’s CSS classes', () => {
  const components = globSync('{app,desk,features,kit}/**/*.tsx', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  )

  test.each(components)('every CSS class that a component uses is in its stylesheet: %s', (file) => {
    const source = readFileSync(join(root, file), 'utf8')
    // A default import of a style sheet would bundle a table of all its class names into the script.
    expect(source).not.toMatch(/^import \w+ from '.+\.module\.css'/m)
    const code = source.replaceAll(/^import .*$/gm, '')
    for (const [, table, sheet = ''] of source.matchAll(/^import \* as (\w+) from '(.+\.module\.css)'$/gm)) {
      const path = sheet.startsWith('#') ? join(root, sheet.slice(1)) : join(root, dirname(file), sheet)
      const names = extractClassNames(readFileSync(path, 'utf8'))
      for (const [, name] of code.matchAll(new RegExp(`(?<![\\w.])${table}\\.(\\w+)`, 'g'))) {
        expect(names).toContain(name)
        // Class names are imported as named exports, so a class name must not be a reserved word.
        expect(() => new Function(`let ${name}`)).not.toThrow()
      }
    }
  })
})
