import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { browserContracts } from './app/build/browser-contracts.ts'
import { chunkGroups } from './app/build/chunk-groups.ts'
import { classNameOf, classNames, shortClassNames } from './app/build/class-names.ts'
import { firstPages } from './app/build/first-pages.ts'
import { pageModules, pagesBelow } from './app/build/page-modules.ts'
import { everyPages } from './app/render/chunks.ts'

const root = import.meta.dirname
const classNameIn = process.env['NODE_ENV'] === 'production' ? shortClassNames(root) : classNameOf

/** The portal, twice: for the browser, and for the server that renders it. `app/build.ts` says where to. */
export default {
  root,
  base: '/static/build/',
  publicDir: false,
  appType: 'custom',
  plugins: [
    react(),
    classNames(classNameIn),
    pageModules(root),
    firstPages(root, pagesBelow(root)),
    browserContracts(),
  ],
  // Vite's own serves every browser and host, and is three times as long.
  resolve: { alias: { '\0vite/preload-helper.js': `${root}/app/web/preload.ts` } },
  css: { modules: { generateScopedName: classNameIn } },
  // A build on a busy machine is no fault of a plugin.
  build: { rolldownOptions: { checks: { pluginTimings: false } } },
  environments: {
    client: {
      build: {
        manifest: 'manifest.json',
        // The first that know `light-dark()`, as the brand's sheet does, which no build goes over.
        cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5', 'ios17.5'],
        assetsDir: '',
        modulePreload: {
          polyfill: false,
          // What every page may load later is not waited for: its imports follow by themselves.
          resolveDependencies: (_file, imports, { hostId }) => (hostId.startsWith(everyPages) ? [] : imports),
        },
        // Everything is a file of ours: the page's policy allows no data: scripts or styles.
        assetsInlineLimit: 0,
        rolldownOptions: {
          // Schemas and endpoints are only made: what a page does not use of a contract need not be in its script.
          treeshake: {
            manualPureFunctions: [
              'v',
              'endpoint',
              'newPassword',
              'optionalText',
              'requiredEmail',
              'requiredSecret',
              'requiredText',
              'wireMoney',
            ],
          },
          output: {
            // Scripts name each other, the table of pages all of them: a name costs more than it tells.
            entryFileNames: '[hash:8].js',
            chunkFileNames: ({ name }) => (name === everyPages ? `${everyPages}-[hash:8].js` : '[hash:8].js'),
            assetFileNames: '[hash:8][extname]',
            codeSplitting: { groups: chunkGroups(root) },
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
