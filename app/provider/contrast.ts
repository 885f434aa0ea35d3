import type { ColourName, Colours } from '#kit/contract/brand.ts'

const grounds = ['paper', 'surface', 'sunken'] as const
const softGrounds = ['brand-soft', 'bad-soft', 'good-soft', 'warn-soft'] as const

/** What stands on what in the style sheets. Banners hold text, quieter text and links on every soft ground. */
const texts: [text: ColourName, grounds: readonly ColourName[]][] = [
  ['ink', [...grounds, ...softGrounds]],
  ['ink-2', [...grounds, ...softGrounds]],
  ['brand', [...grounds, ...softGrounds]],
  ['bad', [...grounds, 'bad-soft']],
  ['good', [...grounds, 'good-soft']],
  ['warn', [...grounds, 'warn-soft']],
  ['brand-ink', ['brand']],
  ['sun-ink', ['sun']],
  ['promo-ink', ['promo']],
]
const borders: typeof texts = [['line-strong', ['surface']]]

const schemes = [['light', 'in the light'], ['dark', 'in the dark']] as const

/** Every pair of colours that somebody could not read, by day or by night, in a sentence each (WCAG 2.2, 1.4.3 and 1.4.11). */
export function contrastFaults(colours: Colours): string[] {
  const faultsOf = (pairs: typeof texts, least: number, what: string): string[] =>
    pairs.flatMap(([name, on]) =>
      on.flatMap((ground) =>
        schemes.flatMap(([scheme, where]) => {
          const ratio = contrast(colours[name][scheme], colours[ground][scheme])
          return ratio < least ? [`colours.${name} on ${ground} has a contrast of ${roundedDown(ratio)} ${where}; ${what} ${least}.`] : []
        }),
      ),
    )
  return [...faultsOf(texts, 4.5, 'text needs'), ...faultsOf(borders, 3, 'the border of a control needs')]
}

/** WCAG's contrast of two colours in `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

/** 4.49 is not 4.5, nor does it read so. */
const roundedDown = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1)
