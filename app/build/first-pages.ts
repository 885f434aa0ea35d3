import { join } from 'node:path'
import type { Plugin } from 'vite'
import { firstPageEntry } from '../render/chunks.ts'

/**
 * Creates an entry script for each page that loads only that page. The HTML of a visitor's first page links to this
 * script. The table of all pages and their files is loaded after the page has started.
 * @param pages each page's modules as paths relative to `root`: the loader's module first if it is a separate file,
 * then the page
 */
export function firstPages(root: string, pages: readonly string[][]): Plugin {
  const sources = new Map(pages.map((modules) => [join(root, firstPageEntry(modules)), generateEntrySource(modules)]))
  const input = [...sources.keys()]
  return {
    name: 'first-pages',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    config: () => ({ environments: { client: { build: { rolldownOptions: { input } } } } }),
    resolveId: (id) => (sources.has(id) ? id : null),
    load: (id) => sources.get(id) ?? null,
  }
}

function generateEntrySource(modules: readonly string[]): string {
  const [page, loader] = modules.toReversed().map((module) => `() => import('/${module}')`)
  return `import { start } from '/app/web/start.tsx'\nstart({ ${loader ? `loader: ${loader}, ` : ''}component: ${page} })\n`
}
