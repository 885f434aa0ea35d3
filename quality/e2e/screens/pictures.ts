import type { Look } from '../inspect.ts'

export const picturesFolder = process.env['SCREENS_FOLDER']

export const wanted = 'SCREENS_FOLDER'

export const allLooks: Look[] = ([320, 768, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)

export const deskLooks: Look[] = ([390, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)

export const pictureOf = (area: string, name: string, { width, scheme }: Look): string =>
  `${area}/${name.replaceAll(/[^\w]+/g, '-')}-${width}-${scheme}.png`
