import { desk } from '#desk/app/build.ts'
import { beginToMake, type Bundle, folderOf, makeAndTell, makeOne } from './build/make.ts'

export const portal: Bundle = {
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
  foreign: /[\\/]server[\\/]|\.test\.tsx?$|^kit[\\/]web[\\/]desk[\\/]/,
}

export const beginToBuild = ({ desk: hasDesk = false } = {}): void => beginToMake(hasDesk ? [portal, desk] : [portal])

export const buildPortal = (): Promise<string> => makeOne(portal)

export const portalFolder = (): Promise<string> => folderOf(portal)

if (import.meta.main) await makeAndTell([portal, desk])
