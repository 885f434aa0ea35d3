import { expect, test } from 'vitest'
import { insertNonBreakingSpaces } from './no-break-spaces.ts'

const shown = (text: string): string => insertNonBreakingSpaces(text).replaceAll('\u00A0', '_')

test.each([
  ['Call 021 555 0142 today', 'Call 021_555_0142 today'],
  ['It renews on Thu 24 Dec 2026 at 9 am', 'It renews on Thu_24_Dec_2026 at 9_am'],
  ['25 GB or 500 MB of data', '25_GB or 500_MB of data'],
  ['$22.00 NZD or $20.00 AUD', '$22.00_NZD or $20.00_AUD'],
  ['Closed on Sun 1 Mar until 11 pm', 'Closed on Sun_1_Mar until 11_pm'],
])('a line never breaks inside a number, an amount or a date: %s', (text, joined) => expect(shown(text)).toBe(joined))

test.each([
  'May I call you?',
  'On Sun or Mon',
  '3 plans',
  'May 31',
  '25 GBP',
  '9 amps',
  'Sunday 24 people came',
  'In Decade 2026',
])('a line may still break between ordinary words: %s', (text) => expect(insertNonBreakingSpaces(text)).toBe(text))
