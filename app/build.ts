import { deskBundle } from '#desk/app/build.ts'
import { startBuilds, type Bundle, getBuildFolder, buildAndReport, buildBundle } from './build/build-bundles.ts'

export const portalBuild: Bundle = {
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

export const startBuild = ({ desk: hasDesk = false } = {}): void =>
  startBuilds(hasDesk ? [portalBuild, deskBundle] : [portalBuild])

export const buildPortal = (): Promise<string> => buildBundle(portalBuild)

export const portalFolder = (): Promise<string> => getBuildFolder(portalBuild)

if (import.meta.main) await buildAndReport([portalBuild, deskBundle])
