import type { Look } from '../inspect-page.ts'

export const screenshotFolder = process.env['SCREENS_FOLDER']

export const folderVariableName = 'SCREENS_FOLDER'

export const allViewports: Look[] = ([320, 768, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)

export const deskViewports: Look[] = ([390, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)

export const getScreenshotPath = (area: string, name: string, { width, scheme }: Look): string =>
  `${area}/${name.replaceAll(/[^\w]+/g, '-')}-${width}-${scheme}.png`
