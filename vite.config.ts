import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'

/** The portal, twice: for the browser, and for the server that renders it. `app/build.ts` says where to. */
export default {
  root: import.meta.dirname,
  base: '/static/build/',
  publicDir: false,
  appType: 'custom',
  plugins: [react(), pageModules()],
  environments: {
    client: {
      build: {
        manifest: 'manifest.json',
        assetsDir: '',
        modulePreload: { polyfill: false },
        // Everything is a file of ours: the page's policy allows no data: scripts or styles.
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: 'app/web/entry-client.tsx',
          output: { codeSplitting: { groups: [{ name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// }] } },
        },
      },
      optimizeDeps: { entries: ['app/web/entry-client.tsx', 'features/*/web/**/*.tsx'] },
    },
    ssr: {
      build: {
        ssr: true,
        rolldownOptions: { input: 'app/web/entry-server.tsx', output: { codeSplitting: false } },
      },
    },
  },
} satisfies UserConfig

/**
 * Writes into each entry of a table of pages which modules it loads: the keys of its chunks in the manifest. Entries say
 * `load: () => import('…')` and perhaps `needs: () => import('…')`, in this order.
 */
function pageModules(): Plugin {
  const loads = /\bload: \(\) => import\('([^']+)'\)(?:,\s*needs: \(\) => import\('([^']+)'\))?/g
  return {
    name: 'page-modules',
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('/pages.ts')) return null
      const modules = new Map<string, string>()
      for (const [, ...sources] of code.matchAll(loads)) {
        for (const source of sources.filter(Boolean)) {
          const resolved = (await this.resolve(source, id)) ?? this.error(`No such page: ${source}`)
          modules.set(source, resolved.id.slice(import.meta.dirname.length + 1))
        }
      }
      const named = (line: string, ...sources: string[]): string =>
        `${line}, modules: ${JSON.stringify(sources.slice(0, 2).flatMap((source) => modules.get(source) ?? []))}`
      return { code: code.replace(loads, named), map: null }
    },
  }
}
