/**
 * The colours of the portal, each for light and for dark. Their names are the custom properties of every style sheet:
 * `ink-2` is `--ink-2`.
 */
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

/** `#rrggbb` by day and by night. */
export type Colours = Record<ColourName, { light: string; dark: string }>

/** How a provider's portal, mails and invoices look: what only the server reads of the brand. */
export type Look = {
  colours: Colours
  /**
   * The files of the brand by the name under which the portal serves them: `icon.svg`, `icon-180.png`, `icon-192.png`,
   * `icon-512.png`, and the mark's when `Brand.mark` is an address below theirs.
   */
  files: ReadonlyMap<string, Buffer>
}
