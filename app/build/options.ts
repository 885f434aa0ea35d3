import react from '@vitejs/plugin-react'
import type { BuildEnvironmentOptions, PluginOption, Rolldown, UserConfig } from 'vite'
import { everyPages } from '../render/chunks.ts'
import { browserContracts } from './browser-contracts.ts'
import type { NameOf } from './class-names.ts'
import { pageModules } from './page-modules.ts'

const firstPage = 'first'

/**
 * Class names are inlined where they are used, which leaves a sheet's module empty. Without this plugin tree shaking would drop its styles.
 */
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

type Own = {
  root: string
  base: string
  classNameIn: NameOf
  client?: string
  server: string
  groups: Groups
  scripts?: string[]
  plugins?: PluginOption[]
}

export const bundleOptions = ({ root, base, classNameIn, plugins = [], ...own }: Own): UserConfig => ({
  root,
  base,
  publicDir: false,
  appType: 'custom',
  plugins: [react(), keepSheets, pageModules(root), ...plugins, browserContracts()],
  // Vite's own helper is three times as long, and does not retry a style sheet that failed to load.
  resolve: { alias: { '\0vite/preload-helper.js': `${root}/app/web/preload.ts` } },
  css: { modules: { generateScopedName: classNameIn } },
  build: { rolldownOptions: { checks: { pluginTimings: false } } },
  environments: {
    client: { build: clientBuild(own), optimizeDeps: { entries: own.scripts } },
    ssr: { build: { ssr: true, rolldownOptions: { input: own.server, output: { codeSplitting: false } } } },
  },
})

const clientBuild = ({ groups, client }: Pick<Own, 'groups' | 'client'>): BuildEnvironmentOptions => ({
  manifest: 'manifest.json',
  // The first versions that support `light-dark()`. The brand's sheet uses it, and no build transforms that sheet.
  cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5', 'ios17.5'],
  assetsDir: '',
  modulePreload: {
    polyfill: false,
    // The document of a first visit links all files that its page needs. Files that every page may load later must not delay it.
    resolveDependencies: (_file, imports, { hostId }) =>
      hostId.startsWith(everyPages) || hostId.startsWith(firstPage) ? [] : imports,
  },
  // Inlining is off, because the page's policy allows no `data:` scripts or styles.
  assetsInlineLimit: 0,
  rolldownOptions: {
    ...(client && { input: client }),
    // These functions have no side effects, so unused schemas and endpoints of a contract can be dropped from a page's script.
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
      entryFileNames: ({ facadeModuleId }) =>
        facadeModuleId?.includes('first.ts?') ? `${firstPage}-[hash:7].js` : '[hash:7].js',
      chunkFileNames: ({ name }) => (name === everyPages ? `${everyPages}-[hash:7].js` : '[hash:7].js'),
      assetFileNames: '[hash:7][extname]',
      codeSplitting: { groups },
    },
  },
})
