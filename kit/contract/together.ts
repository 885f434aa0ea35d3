import { monthNames, weekdayNames } from './dates.ts'

const months = monthNames.join('|')
const days = weekdayNames.join('|')
/** The spaces of `'021 555 0142'`, `'Thu 24 Dec 2026'`, `'9 am'`, `'25 GB'` and `'$22.00 NZD'`. */
const inside = new RegExp(
  [
    `(?<=\\d) (?=\\d|(?:${months}|am|pm|GB|MB|NZD|AUD)\\b)`,
    `(?<=\\b(?:${days})) (?=\\d)`,
    `(?<=\\b(?:${months})) (?=\\d{4}\\b)`,
  ].join('|'),
  'g',
)

export const together = (text: string): string => text.replaceAll(inside, '\u00A0')
