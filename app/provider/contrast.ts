import type { ColourName, Colours } from '#kit/contract/brand.ts'
import { contrastOf, rgbOfHex } from '#kit/contract/colours.ts'

const grounds = ['paper', 'surface', 'sunken'] as const
const softGrounds = ['brand-soft', 'bad-soft', 'good-soft', 'warn-soft'] as const

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
const drawings: typeof texts = [['plume', ['surface', 'paper', 'line']]]

const schemes = [
  ['light', 'in light mode'],
  ['dark', 'in dark mode'],
] as const

/** Describes every pair of colours with too little contrast, in light or dark mode, in a sentence each (WCAG 2.2, 1.4.3 and 1.4.11). */
export function contrastFaults(colours: Colours): string[] {
  const faultsOf = (pairs: typeof texts, least: number, what: string): string[] =>
    pairs.flatMap(([name, on]) =>
      on.flatMap((ground) =>
        schemes.flatMap(([scheme, where]) => {
          const ratio = contrastOf(rgbOfHex(colours[name][scheme]), rgbOfHex(colours[ground][scheme]))
          return ratio < least
            ? [`colours.${name} on ${ground} has a contrast of ${roundedDown(ratio)} ${where}; ${what} ${least}.`]
            : []
        }),
      ),
    )
  return [
    ...faultsOf(texts, 4.5, 'text needs'),
    ...faultsOf(borders, 3, 'the border of a control needs'),
    ...faultsOf(drawings, 3, 'a meaningful drawing needs'),
  ]
}

/** Rounds down, so that 4.49 does not read as 4.5. */
const roundedDown = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1)
