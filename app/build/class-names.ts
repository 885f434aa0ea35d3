import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The name that a class, or an animation, of a CSS module gets in the page. */
export type NameOf = (name: string, file: string) => string

/** A name that can be read: `Header_menu`. No two modules may share a file name. */
export const classNameOf: NameOf = (name, file) => `${basename(file).split('.', 1)[0]}_${name}`

// Not `a` first: some browsers' extensions hide whatever is called `ad`.
const first = 'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ'
const second = `a${first}A`

/** The sheets of a bundle: all that are `of` these, but for those `without`. */
type Sheets = { of: string; without: string[] }

/** What is shown on the desk alone changes no name of the portal. */
export const portalSheets: Sheets = { of: '{app,features,kit}/**/*.module.css', without: ['kit/web/desk/**'] }
export const deskSheets: Sheets = { of: '{desk,kit}/**/*.module.css', without: [] }

/**
 * Two-letter names for a build, which make every page's style sheet a twelfth smaller. They depend only on the sheets below
 * `root`, so the server renders the names that the browser's sheets have.
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

/** The classes and animations of a sheet. */
export function namesIn(css: string): string[] {
  const code = css.replaceAll(/\/\*.*?\*\//gs, '')
  return [...code.matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi)].map(([, name = '']) => name)
}
