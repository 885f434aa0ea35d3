import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const importPattern = /\b(component|loader): \(\) => import\('([^']+)'\)/g
const isPageListFile = (id: string): boolean => /\bpages\.ts$/.test(id)

const resolveImport = (source: string, file: string): string =>
  source.startsWith('#') ? source.slice(1) : join(dirname(file), source)

/** Adds each page's modules to the server's page tables, as paths relative to `root`. Those paths are the modules' keys in the manifest. */
export function pageModules(root: string): Plugin {
  return {
    name: 'page-modules',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    transform(code, id) {
      if (!isPageListFile(id)) return null
      const file = id.slice(root.length + 1)
      return {
        code: code.replace(
          importPattern,
          (found, name: string, source: string) => `${found}, ${name}Module: '${resolveImport(source, file)}'`,
        ),
        map: null,
      }
    },
  }
}

export function listPageModules(root: string): string[][] {
  const pages = new Map<string, string[]>()
  for (const file of ['app/pages.ts', ...globSync('features/*/web/*.pages.ts', { cwd: root })]) {
    const modules: string[] = []
    for (const [, name, source = ''] of readFileSync(join(root, file), 'utf8').matchAll(importPattern)) {
      modules.push(resolveImport(source, file))
      if (name === 'component') pages.set(modules.join(), modules.splice(0))
    }
  }
  return [...pages.values()]
}
