import react from '@vitejs/plugin-react'
import type { BuildEnvironmentOptions, PluginOption, Rolldown, UserConfig } from 'vite'
import { everyPages } from '../render/chunks.ts'
import { browserContracts } from './browser-contracts.ts'
import type { NameOf } from './class-names.ts'
import { pageModules } from './page-modules.ts'

/** How the names of the scripts begin that start one page each: `first-pages.ts` has them. */
const firstPage = 'first'

/** Classes are written where they are used, which leaves nothing of a sheet's module: without this its styles would go, too. */
const keepSheets: PluginOption = {
  name: 'keep-sheets',
  enforce: 'post',
  apply: 'build',
  transform: {
    filter: { id: /\.module\.css$/ },
    handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
  },
}

type Groups = Rolldown.CodeSplittingOptions['groups']

/** In what the two bundles differ. */
type Own = {
  root: string
  /** Where its files are served. */
  base: string
  classNameIn: NameOf
  /** With which script a browser begins, where no plugin says so. */
  client?: string
  server: string
  groups: Groups
  /** Where development looks for the packages that it needs. */
  scripts?: string[]
  plugins?: PluginOption[]
}

/** A bundle, twice: for the browser, and for the server that renders it. `app/build/make.ts` says where to. */
export const bundleOptions = ({ root, base, classNameIn, plugins = [], ...own }: Own): UserConfig => ({
  root,
  base,
  publicDir: false,
  appType: 'custom',
  plugins: [react(), keepSheets, pageModules(root), ...plugins, browserContracts()],
  // Vite's own helper is three times as long, and does not try a style sheet again that could not be had.
  resolve: { alias: { '\0vite/preload-helper.js': `${root}/app/web/preload.ts` } },
  css: { modules: { generateScopedName: classNameIn } },
  // A build on a busy machine is no fault of a plugin.
  build: { rolldownOptions: { checks: { pluginTimings: false } } },
  environments: {
    client: { build: clientBuild(own), optimizeDeps: { entries: own.scripts } },
    ssr: { build: { ssr: true, rolldownOptions: { input: own.server, output: { codeSplitting: false } } } },
  },
})

const clientBuild = ({ groups, client }: Pick<Own, 'groups' | 'client'>): BuildEnvironmentOptions => ({
  manifest: 'manifest.json',
  // The first that know `light-dark()`, as the brand's sheet does, which no build goes over.
  cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5', 'ios17.5'],
  assetsDir: '',
  modulePreload: {
    polyfill: false,
    // The document of a first visit has linked all that its page needs, and what every page may load later is not waited for.
    resolveDependencies: (_file, imports, { hostId }) =>
      hostId.startsWith(everyPages) || hostId.startsWith(firstPage) ? [] : imports,
  },
  // Everything is a file of ours: the page's policy allows no data: scripts or styles.
  assetsInlineLimit: 0,
  rolldownOptions: {
    ...(client && { input: client }),
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
      entryFileNames: ({ facadeModuleId }) =>
        facadeModuleId?.includes('first.ts?') ? `${firstPage}-[hash:7].js` : '[hash:7].js',
      chunkFileNames: ({ name }) => (name === everyPages ? `${everyPages}-[hash:7].js` : '[hash:7].js'),
      assetFileNames: '[hash:7][extname]',
      codeSplitting: { groups },
    },
  },
})
