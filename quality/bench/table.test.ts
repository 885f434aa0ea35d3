import { expect, test } from 'vitest'
import { digits, ratioOf, tableOf } from './table.ts'

test('columns are as wide as what is in them', () => {
  expect(
    tableOf(
      ['read', 'a second', 'p50'],
      [
        ['GET /api/account/', '940', '17'],
        ['page', '12,000', ''],
      ],
    ),
  ).toEqual([
    'read               a second  p50', //
    'GET /api/account/       940   17',
    'page                 12,000',
  ])
})

test('a figure has as many digits as say something', () => {
  expect([0.034, 0.5, 1.25, 9.99, 12.6, 99.4, 100, 940.4, 12_345].map(digits)).toEqual([
    '0.03',
    '0.50',
    '1.3',
    '10.0',
    '13',
    '99',
    '100',
    '940',
    '12,345',
  ])
})

test('a ratio needs two figures', () => {
  expect(ratioOf(940, 1_880)).toBe('0.50 ×')
  expect([ratioOf(undefined, 1), ratioOf(1, undefined), ratioOf(1, 0), ratioOf(null, 1)]).toEqual(['–', '–', '–', '–'])
})
