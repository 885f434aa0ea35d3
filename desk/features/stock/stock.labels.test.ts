import { expect, test } from 'vitest'
import { stockPeriodLabel } from './web/stock-period.labels.ts'
import { simStockLabel, voucherStockLabel } from './web/stock.labels.ts'

test.each([
  [0, 'less than a day'],
  [1, '1 day'],
  [60, '60 days'],
  [61, 'about 2 months'],
  [150, 'about 5 months'],
  [365, 'about 12 months'],
  [366, 'over a year'],
  [1_400_000, 'over a year'],
])('a stock that will last %i days is described as “%s”', (days, text) => expect(stockPeriodLabel(days)).toBe(text))

test.each([
  [{ unused: 0, used: 3, days: 0 }, 'No SIM packs left'],
  [{ unused: 200_000, used: 0, days: null }, '200,000 SIM packs left. None were used in the last 14 days'],
  [
    { unused: 4_120, used: 2_746, days: 21 },
    '4,120 SIM packs left, enough for 21 days (2,746 used in the last 14 days)',
  ],
  [
    { unused: 200_000, used: 2, days: 1_400_000 },
    '200,000 SIM packs left, enough for over a year (2 used in the last 14 days)',
  ],
])('the SIM stock %o is described as “%s”', (level, text) => expect(simStockLabel(level)).toBe(text))

test.each([
  [{ unused: 0, used: 1_200, days: 0 }, '1,200 used in the last 14 days'],
  [{ unused: 9_000, used: 0, days: null }, 'none used in the last 14 days'],
  [{ unused: 9_000, used: 100, days: 1_260 }, 'enough for over a year'],
])('the voucher stock %o is described as “%s”', (level, text) => expect(voucherStockLabel(level)).toBe(text))
