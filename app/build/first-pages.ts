import { join } from 'node:path'
import type { Plugin } from 'vite'
import { firstOf } from '../render/chunks.ts'

/**
 * The beginnings of the browser's script: for each page one that fetches this page alone. The document of a first visit
 * names it; the table of all pages, with the files of each, comes after the page has started.
 * @param pages the modules of each, as paths from `root`: what it needs first, if that is one of its own, then the page
 */
export function firstPages(root: string, pages: readonly string[][]): Plugin[] {
  const sources = new Map(pages.map((modules) => [join(root, firstOf(modules)), sourceOf(modules)]))
  const client: Pick<Plugin, 'apply' | 'applyToEnvironment'> = {
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
  }
  const input = [...sources.keys()]
  return [
    {
      ...client,
      name: 'first-pages',
      enforce: 'pre',
      config: () => ({ environments: { client: { build: { rolldownOptions: { input } } } } }),
      resolveId: (id) => (sources.has(id) ? id : null),
      load: (id) => sources.get(id) ?? null,
    },
    {
      ...client,
      name: 'first-pages-without-preloads',
      enforce: 'post',
      generateBundle: {
        order: 'post',
        handler(_options, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type === 'chunk' && chunk.facadeModuleId && sources.has(chunk.facadeModuleId))
              chunk.code = withoutPreloads(chunk.code)
          }
        },
      },
    },
  ]
}

function sourceOf(modules: readonly string[]): string {
  const [page, needs] = modules.toReversed().map((module) => `() => import('/${module}')`)
  return `import { start } from '/app/web/start.tsx'\nstart({ ${needs ? `needs: ${needs}, ` : ''}load: ${page} })\n`
}

/**
 * Vite's build puts code round each `import()` that fetches its styles and its own imports beside it. The document of a first
 * visit has linked them all.
 * @throws Error when that code does not look as expected
 */
export function withoutPreloads(code: string): string {
  const bare = code
    .replace(/^const __vite__mapDeps=.*\n/, '')
    .replace(/\w+\(\(\)=>(import\(`[^`]+`\)(?:\.then\(\w+=>\w+\.\w+\))?),(?:__vite__mapDeps\([^)]*\)|\[\])\)/g, '$1')
  if (/mapDeps|\[\]/.test(bare)) throw new Error(`A first page whose imports are not understood: ${bare}`)
  return bare
}
