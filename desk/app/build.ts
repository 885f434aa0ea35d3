import { type Bundle, folderOf, makeOne } from '#app/build/make.ts'

/**
 * The browser bundle of the desk.
 * Besides the desk's own code, it contains the kit, the shared rendering code, and code of the features that the
 * portal uses too.
 */
export const desk: Bundle = {
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
    'app/web/state.ts',
    'features',
    'kit/contract',
    'kit/web',
    'package-lock.json',
  ],
  // Server code, tests, and pages of the portal. Only the code that reports errors is in the desk's bundle, too.
  foreign: /[\\/]server[\\/]|\.test\.tsx?$|^features[\\/](?!error-reports[\\/])[^\\/]+[\\/]web[\\/]/,
}

/** Builds the desk unless the same sources are built already. See `makeOne`. */
export const buildDesk = (): Promise<string> => makeOne(desk)

/** The build folder of the present sources, which may not exist yet. */
export const deskFolder = (): Promise<string> => folderOf(desk)
