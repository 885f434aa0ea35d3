import type { Plugin } from 'vite'

/**
 * Writes beside each `load: () => import('…')` and `needs: () => import('…')` of a table of pages (`pages.ts`, `x.pages.ts`)
 * which module that is, as a path from `root`: the key of its chunks in the manifest. Only the server reads it.
 */
export function pageModules(root: string): Plugin {
  const property = /\b(load|needs): \(\) => import\('([^']+)'\)/g
  return {
    name: 'page-modules',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    async transform(code, id) {
      if (!/\bpages\.ts$/.test(id)) return null
      const modules = new Map<string, string>()
      for (const [, , source = ''] of code.matchAll(property)) {
        const resolved = (await this.resolve(source, id)) ?? this.error(`No such page: ${source}`)
        modules.set(source, resolved.id.slice(root.length + 1))
      }
      return {
        code: code.replace(property, (found, name: string, source: string) => `${found}, ${name}Module: '${modules.get(source)}'`),
        map: null,
      }
    },
  }
}
