import { chunkGroups } from './app/build/chunk-groups.ts'
import { buildClassName, portalStyleSheets, createClassNameShortener } from './app/build/class-names.ts'
import { firstPages } from './app/build/first-pages.ts'
import { bundleOptions } from './app/build/options.ts'
import { listPageModules } from './app/build/page-modules.ts'

const root = import.meta.dirname

/** The portal. */
export default bundleOptions({
  root,
  base: '/static/build/',
  classNameIn:
    process.env['NODE_ENV'] === 'production' ? createClassNameShortener(root, portalStyleSheets) : buildClassName,
  server: 'app/web/entry-server.tsx',
  groups: chunkGroups(root),
  scripts: ['app/web/entry-client.tsx', 'features/*/web/**/*.tsx'],
  plugins: [firstPages(root, listPageModules(root))],
})
