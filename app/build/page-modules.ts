import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const property = /\b(load|needs): \(\) => import\('([^']+)'\)/g
const isTable = (id: string): boolean => /\bpages\.ts$/.test(id)

const resolved = (source: string, file: string): string =>
  source.startsWith('#') ? source.slice(1) : join(dirname(file), source)

/** The path from `root` is the key of the module's chunks in the manifest. Only the server reads these paths. */
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
