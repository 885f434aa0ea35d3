import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { classNameOf, shortClassNames, withClassNames } from './class-names.ts'

const root = join(import.meta.dirname, '../..')
const files = globSync('{app,features,kit}/**/*.module.css', { cwd: root })

test('a class is called after its file', () => {
  expect(classNameOf('menu', '/portal/kit/web/chrome/Header.module.css')).toBe('Header_menu')
})

test('no two CSS modules have the same file name, so no two classes have the same name', () => {
  const names = files.map((file) => basename(file))
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((file, index) => names.indexOf(file) !== index)).toEqual([])
})

test('in a build every class has two letters of its own, whichever is asked for first', () => {
  const [client, server] = [shortClassNames(root), shortClassNames(root)]
  const classes = files.flatMap((file) =>
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
})

test('what a module does not have is a fault: an animation of another one, for one', () => {
  expect(() => shortClassNames(root)('nothing', join(root, 'kit/web/chrome/Header.module.css'))).toThrow(
    'no class and no animation nothing',
  )
})

describe('a component’s classes', () => {
  const written = (source: string) => withClassNames(source, 'Menu.tsx', classNameOf)

  test('stand where they are used', () => {
    expect(
      written(
        "import s from './Menu.module.css'\nexport const Menu = () => <s className={`${s.menu} ${open ? s.open : ''}`} />",
      ),
    ).toBe(
      'import \'./Menu.module.css\'\nexport const Menu = () => <s className={`${"Menu_menu"} ${open ? "Menu_open" : \'\'}`} />',
    )
  })

  test.each(['s[kind]', 'classOf(s)', 'kinds.map((s) => s.name)', '{ s }'])(
    'stay in their table when it is used: %s',
    (use) => {
      const source = `import s from './Menu.module.css'\nexport const classes = () => [s.menu, ${use}]`
      expect(written(source)).toBe(source)
    },
  )

  test.each(globSync('{app,features,kit}/**/*.tsx', { cwd: root }).filter((file) => !file.includes('.test.')))(
    'are all in their sheets: %s',
    (file) => {
      expect(() => withClassNames(readFileSync(join(root, file), 'utf8'), file, shortClassNames(root))).not.toThrow()
    },
  )
})
