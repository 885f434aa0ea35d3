import { join } from 'node:path'
import type { Plugin } from 'vite'
import { firstOf } from '../render/chunks.ts'

/**
 * The beginnings of the browser's script: for each page one that fetches this page alone. The document of a first visit
 * names it; the table of all pages, with the files of each, comes after the page has started.
 * @param pages the modules of each, as paths from `root`: what it needs first, if that is one of its own, then the page
 */
export function firstPages(root: string, pages: readonly string[][]): Plugin {
  const sources = new Map(pages.map((modules) => [join(root, firstOf(modules)), sourceOf(modules)]))
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

function sourceOf(modules: readonly string[]): string {
  const [page, needs] = modules.toReversed().map((module) => `() => import('/${module}')`)
  return `import { start } from '/app/web/start.tsx'\nstart({ ${needs ? `needs: ${needs}, ` : ''}load: ${page} })\n`
}
