import { expect, test } from 'vitest'
import { formatFigure, formatRatio, formatTable } from './table.ts'

test('each column of a text table is as wide as its content', () => {
  expect(
    formatTable(
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

test('figures in a table are shown with a sensible number of digits', () => {
  expect([0.034, 0.5, 1.25, 9.99, 12.6, 99.4, 100, 940.4, 12_345].map(formatFigure)).toEqual([
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

test('a ratio is shown only if both of its figures exist', () => {
  expect(formatRatio(940, 1_880)).toBe('0.50 ×')
  expect([formatRatio(undefined, 1), formatRatio(1, undefined), formatRatio(1, 0), formatRatio(null, 1)]).toEqual([
    '–',
    '–',
    '–',
    '–',
  ])
})
