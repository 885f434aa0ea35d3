import type { Look } from '../inspect.ts'

/** The folder for pictures, if they are wanted. */
export const picturesFolder = process.env['SCREENS_FOLDER']

/** The environment variable that requests pictures from a test run. */
export const wanted = 'SCREENS_FOLDER'

export const allLooks: Look[] = ([320, 768, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)

/** The looks of the desk: a phone, and the screen at which staff work. */
export const deskLooks: Look[] = ([390, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)

/** The place of a picture in the folder. */
export const pictureOf = (area: string, name: string, { width, scheme }: Look): string =>
  `${area}/${name.replaceAll(/[^\w]+/g, '-')}-${width}-${scheme}.png`
