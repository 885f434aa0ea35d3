import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

// Tables of pages name their modules as `needs: () => import('…'), load: () => import('…')`.
const property = /\b(load|needs): \(\) => import\('([^']+)'\)/g
const isTable = (id: string): boolean => /\bpages\.ts$/.test(id)

/** Where an import of a file below `root` leads, as a path from there: `./x.ts` beside it, or `#kit/x.ts`. */
const resolved = (source: string, file: string): string =>
  source.startsWith('#') ? source.slice(1) : join(dirname(file), source)

/**
 * Writes beside each module of a table of pages which one that is, as a path from `root`: the key of its chunks in the
 * manifest. Only the server reads it.
 */
export function pageModules(root: string): Plugin {
  return {
    name: 'page-modules',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    transform(code, id) {
      if (!isTable(id)) return null
      const file = id.slice(root.length + 1)
      return {
        code: code.replace(
          property,
          (found, name: string, source: string) => `${found}, ${name}Module: '${resolved(source, file)}'`,
        ),
        map: null,
      }
    },
  }
}

/** The modules of each page in the tables below `root`, what it needs first; pages that share theirs are named once. */
export function pagesBelow(root: string): string[][] {
  const pages = new Map<string, string[]>()
  for (const file of ['app/pages.ts', ...globSync('features/*/web/*.pages.ts', { cwd: root })]) {
    const modules: string[] = []
    for (const [, name, source = ''] of readFileSync(join(root, file), 'utf8').matchAll(property)) {
      modules.push(resolved(source, file))
      if (name === 'load') pages.set(modules.join(), modules.splice(0))
    }
  }
  return [...pages.values()]
}
