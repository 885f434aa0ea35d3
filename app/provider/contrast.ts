import type { ColourName, Colours } from '#kit/contract/brand.ts'
import { computeContrast, rgbOfHex } from '#kit/contract/colours.ts'

const backgrounds = ['paper', 'surface', 'sunken'] as const
const softBackgrounds = ['brand-soft', 'bad-soft', 'good-soft', 'warn-soft'] as const

const textPairs: [text: ColourName, grounds: readonly ColourName[]][] = [
  ['ink', [...backgrounds, ...softBackgrounds]],
  ['ink-2', [...backgrounds, ...softBackgrounds]],
  ['brand', [...backgrounds, ...softBackgrounds]],
  ['bad', [...backgrounds, 'bad-soft']],
  ['good', [...backgrounds, 'good-soft']],
  ['warn', [...backgrounds, 'warn-soft']],
  ['brand-ink', ['brand']],
  ['sun-ink', ['sun']],
  ['promo-ink', ['promo']],
]
const borderPairs: typeof textPairs = [['line-strong', ['surface']]]
const drawingPairs: typeof textPairs = [['plume', ['surface', 'paper', 'line']]]

const schemes = [
  ['light', 'in light mode'],
  ['dark', 'in dark mode'],
] as const

/** Returns a sentence for each pair of colours whose contrast is too low, in light or dark mode (WCAG 2.2, 1.4.3 and 1.4.11). */
export function contrastFaults(colours: Colours): string[] {
  const findContrastFaults = (pairs: typeof textPairs, least: number, what: string): string[] =>
    pairs.flatMap(([name, on]) =>
      on.flatMap((ground) =>
        schemes.flatMap(([scheme, where]) => {
          const ratio = computeContrast(rgbOfHex(colours[name][scheme]), rgbOfHex(colours[ground][scheme]))
          return ratio < least
            ? [`colours.${name} on ${ground} has a contrast of ${roundDown(ratio)} ${where}; ${what} ${least}.`]
            : []
        }),
      ),
    )
  return [
    ...findContrastFaults(textPairs, 4.5, 'text needs'),
    ...findContrastFaults(borderPairs, 3, 'the border of a control needs'),
    ...findContrastFaults(drawingPairs, 3, 'a meaningful drawing needs'),
  ]
}

/** Rounds a contrast ratio down, so that an insufficient 4.49 is not shown as a sufficient 4.5. */
const roundDown = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1)
