import react from '@vitejs/plugin-react'
import type { BuildEnvironmentOptions, PluginOption, Rolldown, UserConfig } from 'vite'
import { sharedEntryName } from '../render/chunks.ts'
import { browserContracts } from './browser-contracts.ts'
import type { ClassNameGenerator } from './class-names.ts'
import { pageModules } from './page-modules.ts'

const firstPagePrefix = 'first'

/**
 * Vite inlines class names where they are used, which leaves a style sheet's module empty. Tree shaking would then drop
 * the sheet's styles; this plugin keeps them.
 */
const keepStyleSheetsPlugin: PluginOption = {
  name: 'keep-sheets',
  enforce: 'post',
  apply: 'build',
  transform: {
    filter: { id: /\.module\.css$/ },
    handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
  },
}

type ChunkGroups = Rolldown.CodeSplittingOptions['groups']

type BundleSettings = {
  root: string
  base: string
  classNameIn: ClassNameGenerator
  client?: string
  server: string
  groups: ChunkGroups
  scripts?: string[]
  plugins?: PluginOption[]
}

export const bundleOptions = ({ root, base, classNameIn, plugins = [], ...own }: BundleSettings): UserConfig => ({
  root,
  base,
  publicDir: false,
  appType: 'custom',
  plugins: [react(), keepStyleSheetsPlugin, pageModules(root), ...plugins, browserContracts()],
  // Vite's own preload helper is three times as long, and does not retry a style sheet that failed to load.
  resolve: { alias: { '\0vite/preload-helper.js': `${root}/app/web/preload.ts` } },
  css: { modules: { generateScopedName: classNameIn } },
  build: { rolldownOptions: { checks: { pluginTimings: false } } },
  environments: {
    client: { build: clientBuildOptions(own), optimizeDeps: { entries: own.scripts } },
    ssr: { build: { ssr: true, rolldownOptions: { input: own.server, output: { codeSplitting: false } } } },
  },
})

const clientBuildOptions = ({
  groups,
  client,
}: Pick<BundleSettings, 'groups' | 'client'>): BuildEnvironmentOptions => ({
  manifest: 'manifest.json',
  /*
   * The first browser versions that support `light-dark()`. The brand's style sheet uses it, and no build step compiles
   * it for older browsers.
   */
  cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5', 'ios17.5'],
  assetsDir: '',
  modulePreload: {
    polyfill: false,
    /*
     * Entry scripts preload no other files: the document already links to everything that its page needs, and more
     * files would delay the page.
     */
    resolveDependencies: (_file, imports, { hostId }) =>
      hostId.startsWith(sharedEntryName) || hostId.startsWith(firstPagePrefix) ? [] : imports,
  },
  // Assets are never inlined, because the pages' Content-Security-Policy allows no `data:` scripts or styles.
  assetsInlineLimit: 0,
  rolldownOptions: {
    ...(client && { input: client }),
    // The listed functions have no side effects, so the bundler can drop a contract's unused schemas and endpoints from a page's script.
    treeshake: {
      manualPureFunctions: [
        'v',
        'endpoint',
        'maxCharacters',
        'maxPasswordLength',
        'newPasswordSchema',
        'optionalCode',
        'optionalText',
        'requiredCode',
        'requiredEmail',
        'requiredNewEmail',
        'requiredSecret',
        'requiredText',
        'decimalAmountSchema',
      ],
    },
    output: {
      entryFileNames: ({ facadeModuleId }) =>
        facadeModuleId?.includes('first.ts?') ? `${firstPagePrefix}-[hash:7].js` : '[hash:7].js',
      chunkFileNames: ({ name }) => (name === sharedEntryName ? `${sharedEntryName}-[hash:7].js` : '[hash:7].js'),
      assetFileNames: '[hash:7][extname]',
      codeSplitting: { groups },
    },
  },
})
