import type { Look } from '../inspect.ts'

/** Where pictures go, when some are wanted. */
export const picturesFolder = process.env['SCREENS_FOLDER']

/** The name in its environment that asks a test run for them. */
export const wanted = 'SCREENS_FOLDER'

export const allLooks: Look[] = ([320, 768, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)

/** Those of the desk: its people's own phone, and the screen that they work at. */
export const deskLooks: Look[] = ([390, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)

/** A picture's place in the folder. */
export const pictureOf = (area: string, name: string, { width, scheme }: Look): string =>
  `${area}/${name.replaceAll(/[^\w]+/g, '-')}-${width}-${scheme}.png`
