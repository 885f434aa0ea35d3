import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync, type Plugin, Visitor } from 'vite'

/** The name that a class, or an animation, of a CSS module gets in the page. */
export type NameOf = (name: string, file: string) => string

/** A name that can be read: `Header_menu`. No two modules may share a file name. */
export const classNameOf: NameOf = (name, file) => `${basename(file).split('.', 1)[0]}_${name}`

// Without an A in front: some browsers' extensions hide whatever is called `ad`.
const first = 'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ'
const second = `a${first}A`

/** The sheets of a bundle: all that are `of` these, but for those `without`. */
type Sheets = { of: string; without: string[] }

/** What is shown on the desk alone changes no name of the portal. */
export const portalSheets: Sheets = { of: '{app,features,kit}/**/*.module.css', without: ['kit/web/desk/**'] }
export const deskSheets: Sheets = { of: '{desk,kit}/**/*.module.css', without: [] }

/**
 * Names of two letters for a build: every page's style is a twelfth lighter with them. They depend on nothing but the
 * modules below `root`, so that what the server renders has the names that the browser's sheets have.
 */
export function shortClassNames(root: string, { of, without }: Sheets): NameOf {
  const files = globSync(of, { cwd: root, exclude: without }).sort()
  const names = new Set(
    files.flatMap((file) => namesIn(readFileSync(join(root, file), 'utf8')).map((name) => classNameOf(name, file))),
  )
  if (names.size > first.length * second.length) throw new Error('There are more classes than names of two letters')
  const short = new Map(
    [...names].map((name, at) => [name, `${first[Math.floor(at / second.length)]}${second[at % second.length]}`]),
  )
  return (name, file) => {
    const found = short.get(classNameOf(name, file))
    if (!found) throw new Error(`${file} has no class and no animation ${name}`)
    return found
  }
}

function namesIn(css: string): string[] {
  const code = css.replaceAll(/\/\*.*?\*\//gs, '')
  return [...code.matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi)].map(([, name = '']) => name)
}

/**
 * Writes the classes of CSS modules where a component uses them: `s.menu` becomes `"Header_menu"`. A build knows them all,
 * so a script need not carry the table of every class in every sheet that it has a part of.
 */
export function classNames(nameOf: NameOf): Plugin[] {
  // A class that its sheet does not have is undefined, as it is in development; a test finds it.
  const nameIfAny = (name: string, file: string): string | undefined => {
    try {
      return nameOf(name, file)
    } catch {
      return undefined
    }
  }
  return [
    {
      name: 'class-names',
      enforce: 'pre',
      apply: 'build',
      transform: {
        filter: { id: /\.tsx$/, code: '.module.css' },
        handler: (code, id) => ({ code: withClassNames(code, id, nameIfAny), map: null }),
      },
    },
    {
      name: 'class-sheets',
      enforce: 'post',
      apply: 'build',
      // Vite drops the styles, too, when the table is not asked for.
      transform: {
        filter: { id: /\.module\.css$/ },
        handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
      },
    },
  ]
}

/** The source of a component with its classes written out; those of a table that is asked by anything but `s.name` stay there. */
export function withClassNames(
  code: string,
  id: string,
  nameOf: (name: string, file: string) => string | undefined,
): string {
  type Edit = { start: number; end: number; text: string }
  const { program } = parseSync(id, code)
  const tables = new Map<string, { file: string; edits: Edit[] }>()
  const mentions = new Map<string, number>()
  new Visitor({
    ImportDeclaration({ start, end, source: { value: file }, specifiers: [table] }) {
      if (table && file.endsWith('.module.css'))
        tables.set(table.local.name, { file, edits: [{ start, end, text: `import '${file}'` }] })
    },
    Identifier({ name }) {
      mentions.set(name, (mentions.get(name) ?? 0) + 1)
    },
    MemberExpression({ start, end, object, property, computed }) {
      const table = object.type === 'Identifier' && !computed && tables.get(object.name)
      if (table && property.type === 'Identifier')
        table.edits.push({ start, end, text: String(JSON.stringify(nameOf(property.name, table.file))) })
    },
  }).visit(program)
  // The import itself is a mention, and so is each place that is known: one more may be anything.
  const known = [...tables].filter(([name, { edits }]) => mentions.get(name) === edits.length)
  const edits = known.flatMap(([, table]) => table.edits).sort((a, b) => b.start - a.start)
  return edits.reduce((result, { start, end, text }) => result.slice(0, start) + text + result.slice(end), code)
}
