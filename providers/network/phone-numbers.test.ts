import { expect, test } from 'vitest'
import { isSameNumber, parseDestination, formatNumber } from './phone-numbers.ts'

test.each([
  ['+64211234567', 'plus', '+64211234567'],
  ['64211234567', 'plus', '+64211234567'],
  ['+64211234567', 'digits', '64211234567'],
  ['+64211234567', 'national', '0211234567'],
  ['+61412345678', 'national', '0412345678'],
] as const)('the number %s in the form %s is written as %s', (msisdn, form, written) => {
  expect(formatNumber(msisdn, form)).toBe(written)
  expect(isSameNumber(` ${written} `, msisdn, form)).toBe(true)
})

test.each([
  ['+64211234567', 'digits', true],
  ['64211234567', 'national', true],
  ['0211234567', 'digits', false],
  ['0211234567', 'plus', false],
  ['6421123456', 'digits', false],
  ['642112345678', 'digits', false],
  ['', 'national', false],
] as const)('%j, in the form %s, matches +64211234567: %s', (text, form, is) => {
  expect(isSameNumber(text, '+64211234567', form)).toBe(is)
})

test.each([
  ['64275550100', 'digits', '+64275550100'],
  ['+64275550100', 'national', '+64275550100'],
  ['0275550100', 'national', '+64275550100'],
  ['0061412345678', 'national', '+61412345678'],
  ['777', 'national', '777'],
  ['777', 'digits', '777'],
  ['111', 'plus', '111'],
] as const)('a call to %s, in the form %s, is parsed as a call to %s', (text, form, destination) => {
  expect(parseDestination(text, '+64211234567', form)).toBe(destination)
})
