import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { classNameOf, deskSheets, portalSheets, shortClassNames, withClassNames } from './class-names.ts'

const root = join(import.meta.dirname, '../..')
const bundles = { portal: portalSheets, desk: deskSheets }
const filesOf = ({ of, without }: typeof portalSheets) => globSync(of, { cwd: root, exclude: without })

test('a class is called after its file', () => {
  expect(classNameOf('menu', '/portal/kit/web/chrome/Header.module.css')).toBe('Header_menu')
})

test.each(Object.keys(bundles))(
  'no two CSS modules of the %s have the same file name, so no two classes have the same name',
  (of) => {
    const names = filesOf(bundles[of as keyof typeof bundles]).map((file) => basename(file))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((file, index) => names.indexOf(file) !== index)).toEqual([])
  },
)

test.each(Object.keys(bundles))(
  'in a build of the %s every class has two letters of its own, whichever is asked for first',
  (of) => {
    const sheets = bundles[of as keyof typeof bundles]
    const [client, server] = [shortClassNames(root, sheets), shortClassNames(root, sheets)]
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

test('what a module does not have is a fault: an animation of another one, for one', () => {
  expect(() => shortClassNames(root, portalSheets)('nothing', join(root, 'kit/web/chrome/Header.module.css'))).toThrow(
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

  const nameOf = { portal: shortClassNames(root, portalSheets), desk: shortClassNames(root, deskSheets) }
  test.each(globSync('{app,desk,features,kit}/**/*.tsx', { cwd: root }).filter((file) => !file.includes('.test.')))(
    'are all in their sheets: %s',
    (file) => {
      const names = /^(desk|kit.web.desk)\b/.test(file) ? nameOf.desk : nameOf.portal
      expect(() => withClassNames(readFileSync(join(root, file), 'utf8'), file, names)).not.toThrow()
    },
  )
})
