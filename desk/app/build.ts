import { type Bundle, folderOf, makeOne } from '#app/build/make.ts'

/** The desk's part in a browser: of the portal it has what both are made with, and of the customers' features what both sides say. */
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
  foreign: /[\\/]server[\\/]|\.test\.tsx?$|^features[\\/][^\\/]+[\\/]web[\\/]/,
}

/** Builds the desk unless these very sources have been built already: `makeOne` says more. */
export const buildDesk = (): Promise<string> => makeOne(desk)

/** Where the build of these very sources is, or will be. */
export const deskFolder = (): Promise<string> => folderOf(desk)
