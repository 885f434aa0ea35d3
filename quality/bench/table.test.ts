import { expect, test } from 'vitest'
import { digits, ratioOf, tableOf } from './table.ts'

test('columns of a table are as wide as their content', () => {
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

test('figures have as many digits as are significant', () => {
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

test('a ratio is shown only for two figures', () => {
  expect(ratioOf(940, 1_880)).toBe('0.50 ×')
  expect([ratioOf(undefined, 1), ratioOf(1, undefined), ratioOf(1, 0), ratioOf(null, 1)]).toEqual(['–', '–', '–', '–'])
})
