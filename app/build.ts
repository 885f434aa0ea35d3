import { desk } from '#desk/app/build.ts'
import { beginToMake, type Bundle, folderOf, makeAndTell, makeOne } from './build/make.ts'

const portal: Bundle = {
  name: 'portal',
  config: 'vite.config.ts',
  sources: [
    'app/web',
    'app/build',
    'app/render',
    'app/pages.ts',
    'features',
    'kit/contract',
    'kit/web',
    'vite.config.ts',
    'package-lock.json',
  ],
  // What only the server runs, tests, and what the desk alone shows.
  foreign: /[\\/]server[\\/]|\.test\.tsx?$|^kit[\\/]web[\\/]desk[\\/]/,
}

/** Begins to build, while other things are made ready; the staff's desk beside it where there is one. */
export const beginToBuild = ({ desk: hasDesk = false } = {}): void => beginToMake(hasDesk ? [portal, desk] : [portal])

/** Builds the portal unless these very sources have been built already: `makeOne` says more. */
export const buildPortal = (): Promise<string> => makeOne(portal)

/** Where the build of these very sources is, or will be. */
export const portalFolder = (): Promise<string> => folderOf(portal)

if (import.meta.main) await makeAndTell([portal, desk])
