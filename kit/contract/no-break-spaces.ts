import { monthNames, weekdayNames } from './dates.ts'

const monthPattern = monthNames.join('|')
const weekdayPattern = weekdayNames.join('|')
const innerSpacePattern = new RegExp(
  [
    `(?<=\\d) (?=\\d|(?:${monthPattern}|am|pm|GB|MB|NZD|AUD)\\b)`,
    `(?<=\\b(?:${weekdayPattern})) (?=\\d)`,
    `(?<=\\b(?:${monthPattern})) (?=\\d{4}\\b)`,
  ].join('|'),
  'g',
)

export const insertNonBreakingSpaces = (text: string): string => text.replaceAll(innerSpacePattern, '\u00A0')
