import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export type NameOf = (name: string, file: string) => string

/** File names of CSS modules must be unique. */
export const classNameOf: NameOf = (name, file) => `${basename(file).split('.', 1)[0]}_${name}`

// Names must not start with `a`, because some browser extensions hide elements with the class `ad`.
const first = 'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ'
const second = `a${first}A`

type Sheets = { of: string; without: string[] }

/** Sheets that only the desk uses must not change the portal's class names. */
export const portalSheets: Sheets = { of: '{app,features,kit}/**/*.module.css', without: ['kit/web/desk/**'] }
export const deskSheets: Sheets = { of: '{desk,kit}/**/*.module.css', without: [] }

/**
 * Two-letter class names for a build, which make each page's style sheet a twelfth smaller.
 * The names depend only on the sheets below `root`, so the server renders the same names as the browser's sheets.
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

export function namesIn(css: string): string[] {
  const code = css.replaceAll(/\/\*.*?\*\//gs, '')
  return [...code.matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi)].map(([, name = '']) => name)
}
