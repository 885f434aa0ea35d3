import type { ColourName, Colours } from '#kit/contract/brand.ts'
import { computeContrast, parseHexColour } from '#kit/contract/colours.ts'

const backgrounds = ['paper', 'surface', 'sunken'] as const
const softBackgrounds = ['brand-soft', 'bad-soft', 'good-soft', 'warn-soft'] as const

const textColourPairs: [text: ColourName, grounds: readonly ColourName[]][] = [
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
const borderColourPairs: typeof textColourPairs = [['line-strong', ['surface']]]
const graphicColourPairs: typeof textColourPairs = [['plume', ['surface', 'paper', 'line']]]

const colourSchemes = [
  ['light', 'in light mode'],
  ['dark', 'in dark mode'],
] as const

/** Describes each pair of colours whose contrast is too low, in light or dark mode (WCAG 2.2, 1.4.3 and 1.4.11). */
export function listContrastFaults(colours: Colours): { name: ColourName; message: string }[] {
  const findContrastFaults = (pairs: typeof textColourPairs, least: number, what: string) =>
    pairs.flatMap(([name, on]) =>
      on.flatMap((ground) =>
        colourSchemes.flatMap(([scheme, where]) => {
          const ratio = computeContrast(parseHexColour(colours[name][scheme]), parseHexColour(colours[ground][scheme]))
          return ratio < least
            ? [
                {
                  name,
                  message: `${colours[name][scheme]} on ${ground} has a contrast of ${roundDown(ratio)} ${where}; ${what} ${least}.`,
                },
              ]
            : []
        }),
      ),
    )
  return [
    ...findContrastFaults(textColourPairs, 4.5, 'text needs'),
    ...findContrastFaults(borderColourPairs, 3, 'the border of a control needs'),
    ...findContrastFaults(graphicColourPairs, 3, 'a meaningful drawing needs'),
  ]
}

/** Rounds a contrast ratio down, so that an insufficient 4.49 is not shown as a sufficient 4.5. */
const roundDown = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1)
