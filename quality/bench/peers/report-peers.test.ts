import { expect, test } from 'vitest'
import { summariseRounds } from '../load-figures.ts'
import type { ReadSummary } from '../load/compare-reads.ts'
import { formatPeersResult } from './report-peers.ts'

const figures = (perSecond: number, processor: number | null): ReadSummary => ({
  ...summariseRounds([{ times: Array.from({ length: perSecond }, () => 8), seconds: 1 }]),
  processor,
})

test('the benchmark report compares Fantail with other platforms, with ratios for requests per second and processor time', () => {
  const rows = [
    { name: 'account', product: figures(3_000, 0.5), peers: { Vendure: figures(300, 2), Medusa: figures(100, 5) } },
  ]
  const [head, row, ...more] = formatPeersResult({ rows, missing: [] })
  const cells = (line = ''): string[] => line.trim().split(/\s{2,}/)
  const own = ['a second', 'p50 ms', 'p99 ms', 'cpu ms']
  const others = ['p50 ms', 'p99 ms', 'cpu ms', 'calls', 'cpu']
  expect(cells(head)).toEqual([...own, 'Vendure/s', ...others, 'Medusa/s', ...others])
  const figured = ['account 3,000 8.0 8.0 0.50', '300 8.0 8.0 2.0 10.00 × 0.25 ×', '100 8.0 8.0 5.0 30.00 × 0.10 ×']
  expect(cells(row).join(' ')).toBe(figured.join(' '))
  expect(more).toEqual([])
})

test('for a platform that could not be measured, the benchmark report shows dashes and the reason', () => {
  const rows = [{ name: 'sign-up', product: figures(20, null), peers: { Medusa: figures(10, null) } }]
  const [, row, why] = formatPeersResult({ rows, missing: ['Vendure cannot be measured: no network'] })
  expect(row).toMatch(/^sign-up +20 .*(?:– +){7}10 .* 2\.00 × +–$/)
  expect(why).toBe('Vendure cannot be measured: no network')
})

test('the benchmark report has no comparison table if no other platform was measured', () =>
  expect(formatPeersResult({ rows: [], missing: ['one', 'other'] })).toEqual(['one', 'other']))
