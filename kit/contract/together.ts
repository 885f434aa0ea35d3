import { monthNames, weekdayNames } from './dates.ts'

const months = monthNames.join('|')
const days = weekdayNames.join('|')
const inside = new RegExp(
  [
    `(?<=\\d) (?=\\d|(?:${months}|am|pm|GB|MB|NZD|AUD)\\b)`,
    `(?<=\\b(?:${days})) (?=\\d)`,
    `(?<=\\b(?:${months})) (?=\\d{4}\\b)`,
  ].join('|'),
  'g',
)

export const together = (text: string): string => text.replaceAll(inside, '\u00A0')
