import { type Bundle, getBuildFolder, buildBundle } from '#app/build/build-bundles.ts'

export const deskBundle: Bundle = {
  name: 'desk',
  config: 'desk/vite.config.ts',
  sources: [
    'desk/app/web',
    'desk/app/pages.ts',
    'desk/features',
    'desk/vite.config.ts',
    'app/build',
    'app/render',
    'app/web/preload.ts',
    'app/web/render-page.tsx',
    'app/web/page-state.ts',
    'features',
    'kit/contract',
    'kit/web',
    'package-lock.json',
  ],
  // The desk's bundle must contain no server code, no tests and no portal pages. The only portal feature it may use is error reporting.
  foreign: /[\\/]server[\\/]|\.test\.tsx?$|^features[\\/](?!error-reports[\\/])[^\\/]+[\\/]web[\\/]/,
}

export const buildDesk = (): Promise<string> => buildBundle(deskBundle)

export const deskFolder = (): Promise<string> => getBuildFolder(deskBundle)
