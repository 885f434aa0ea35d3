import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'

/** The portal, twice: for the browser, and for the server that renders it. `app/build.ts` says where to. */
export default {
  root: import.meta.dirname,
  base: '/static/build/',
  publicDir: false,
  appType: 'custom',
  plugins: [react(), pageModules()],
  // wouter brings a shim for Reacts that are older than this hook.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
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
 * Writes beside each `load: () => import('…')` and `needs: () => import('…')` of a table of pages (`pages.ts`, `x.pages.ts`)
 * which module that is: the key of its chunks in the manifest.
 */
function pageModules(): Plugin {
  const property = /\b(load|needs): \(\) => import\('([^']+)'\)/g
  return {
    name: 'page-modules',
    enforce: 'pre',
    async transform(code, id) {
      if (!/\bpages\.ts$/.test(id)) return null
      const modules = new Map<string, string>()
      for (const [, , source = ''] of code.matchAll(property)) {
        const resolved = (await this.resolve(source, id)) ?? this.error(`No such page: ${source}`)
        modules.set(source, resolved.id.slice(import.meta.dirname.length + 1))
      }
      return {
        code: code.replace(property, (found, name: string, source: string) => `${found}, ${name}Module: '${modules.get(source)}'`),
        map: null,
      }
    },
  }
}
