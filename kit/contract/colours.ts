/** A colour as red, green and blue, each from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** Parses a computed CSS colour such as `rgb(11, 95, 87)`. Returns `null` if the text has fewer than three numbers. */
export function rgbOf(computed: string): Rgb | null {
  const [red, green, blue] = (computed.match(/[\d.]+/g) ?? []).map(Number)
  return red === undefined || green === undefined || blue === undefined ? null : [red, green, blue]
}

export function parseHexColour(hex: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return [red, green, blue]
}

export const hexOf = (colour: Rgb): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Returns the contrast ratio between two colours as defined in WCAG 2.2, from 1 to 21. */
export function computeContrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [computeLuminance(one), computeLuminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function computeLuminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
