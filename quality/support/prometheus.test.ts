import { expect, test } from 'vitest'
import { parseScrape, parseSelectors, parseMetric } from './prometheus.ts'

const text = '# TYPE a_total counter\na_total{x="1",y="2"} 3\n# TYPE b histogram\nb_sum 0.5\n# TYPE c gauge\n'

test('a Prometheus scrape is parsed into names and samples', () => {
  expect([...parseScrape(text).names]).toEqual(['a_total', 'b', 'b_bucket', 'b_sum', 'b_count', 'c'])
  expect(parseScrape(text).samples).toEqual([
    { name: 'a_total', labels: { x: '1', y: '2' }, value: 3 },
    { name: 'b_sum', labels: {}, value: 0.5 },
  ])
  expect([parseMetric(text, 'a_total', { y: '2' }), parseMetric(text, 'a_total', { y: '3' })]).toEqual([3, undefined])
})

test.each([
  ['up{job="a"} == 0', [{ name: 'up', labels: { job: 'a' } }]],
  ['max by (x) (a_total) > 1', [{ name: 'a_total', labels: {} }]],
  [
    'sum(rate(a_total{x!="1"}[5m])) / sum(rate(b_sum[10m]))',
    [
      { name: 'a_total', labels: { x: '1' } },
      { name: 'b_sum', labels: {} },
    ],
  ],
  ['histogram_quantile(0.95, sum by (le, x) (rate(b_bucket[5m]))) > 2', [{ name: 'b_bucket', labels: {} }]],
])('finds the metric selectors in the Prometheus expression %s', (expression, expected) =>
  expect(parseSelectors(expression)).toEqual(expected),
)
