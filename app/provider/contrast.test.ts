import { describe, expect, test } from 'vitest'
import { colourNames, type ColourName, type Colours } from '#kit/contract/brand.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { listContrastFaults } from './contrast.ts'

const { colours } = fantailProvider.look
const changed = (name: ColourName, change: Partial<Colours[ColourName]>): Colours => ({
  ...colours,
  [name]: { ...colours[name], ...change },
})

describe('a brand’s colour contrast', () => {
  test('colours with enough contrast are accepted', () => expect(listContrastFaults(colours)).toEqual([]))

  test('insufficient contrast is reported with the colour, its background, and the mode (light or dark)', () => {
    expect(listContrastFaults(changed('ink-2', { dark: '#6b756f' }))).toContainEqual({
      name: 'ink-2',
      message: '#6b756f on paper has a contrast of 3.8 in dark mode; text needs 4.5.',
    })
    expect(listContrastFaults(changed('line-strong', { light: '#aaaaaa' }))).toEqual([
      {
        name: 'line-strong',
        message: '#aaaaaa on surface has a contrast of 2.3 in light mode; the border of a control needs 3.',
      },
    ])
  })

  test('a contrast just below the minimum is not rounded up to it', () => {
    const faults = listContrastFaults({ ...colours, promo: { light: '#777777', dark: '#777777' } })
    expect(faults.map(({ message }) => message)).toEqual([
      '#ffffff on promo has a contrast of 4.4 in light mode; text needs 4.5.',
      '#ffffff on promo has a contrast of 4.4 in dark mode; text needs 4.5.',
    ])
  })

  test('every text and background colour is included in the contrast check', () => {
    const unseen = colourNames.filter(
      (name) => listContrastFaults(changed(name, { light: '#9a9a9a', dark: '#606060' })).length === 0,
    )
    // Only decorative colours may have low contrast: divider lines, and the border around a warning, which also has text.
    expect(unseen).toEqual(['line', 'warn-line'])
  })
})
