import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { browserContracts } from './app/build/browser-contracts.ts'
import { pageModules } from './app/build/page-modules.ts'

/** The portal, twice: for the browser, and for the server that renders it. `app/build.ts` says where to. */
export default {
  root: import.meta.dirname,
  base: '/static/build/',
  publicDir: false,
  appType: 'custom',
  plugins: [react(), pageModules(import.meta.dirname), browserContracts()],
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
          // Schemas and endpoints are only made: what a page does not use of a contract need not be in its script.
          treeshake: { manualPureFunctions: ['v', 'endpoint'] },
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
                // What comes with every page.
                { name: 'base', tags: ['$initial'] },
                // What most pages share comes as one file, not as twenty; but not the phone rules, which few need.
                { name: 'common', minShareCount: 5, test: /^(?!.*(phone|porting\.contract))/ },
              ],
            },
          },
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
