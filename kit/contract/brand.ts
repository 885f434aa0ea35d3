/** Each colour name is also a CSS custom property: `ink-2` is `--ink-2`. */
export const colourNames = [
  'paper',
  'surface',
  'sunken',
  'ink',
  'ink-2',
  'line',
  'line-strong',
  'brand',
  'brand-ink',
  'brand-soft',
  'plume',
  'sun',
  'sun-ink',
  'bad',
  'bad-soft',
  'good',
  'good-soft',
  'warn',
  'warn-soft',
  'warn-line',
  'promo',
  'promo-ink',
] as const
export type ColourName = (typeof colourNames)[number]

/** The brand's colours for light and dark mode, as `#rrggbb`. */
export type Colours = Record<ColourName, { light: string; dark: string }>

export type BrandAssets = {
  colours: Colours
  /**
   * The brand's files, keyed by the name that the portal serves them under: `icon.svg`, `icon-180.png`, `icon-192.png`, `icon-512.png`. The
   * logo is one of these files if `Brand.mark` is a path in their folder.
   */
  files: ReadonlyMap<string, Buffer>
}
