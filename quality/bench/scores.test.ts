import { expect, test } from 'vitest'
import { findScoreFaults, computeMedians, findMissedTargets, type Run } from './scores.ts'

const good: Run = {
  performance: 99,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
  reckoned: 1_500,
  throttled: 800,
  twin: 1.05,
  blocking: 0,
  shift: 0,
}

test('a page is judged by the medians of its Lighthouse runs', () => {
  const login = { page: '/login/', runs: [good, { ...good, performance: 80 }, { ...good, performance: 96 }] }
  expect(computeMedians(login)).toEqual({ ...good, performance: 96 })
  expect(findScoreFaults([login])).toEqual([])
})

test('every Lighthouse score or figure that misses its target is reported with its page', () => {
  const slow = {
    ...good,
    performance: 94,
    accessibility: 99,
    reckoned: 1_801,
    throttled: 1_000.5,
    twin: 1.31,
    shift: 0.0312,
  }
  expect(
    findScoreFaults([
      { page: '/login/', runs: [good] },
      { page: '/', runs: [slow] },
    ]),
  ).toEqual([
    '/: performance 94, but the minimum is 95',
    '/: accessibility 99, but the minimum is 100',
    '/: throttled 1000.5, but the maximum is 1000',
    '/: twin 1.31, but the maximum is 1.3',
    '/: shift 0.031, but the maximum is 0.02',
  ])
  expect(
    findMissedTargets([
      { page: '/login/', runs: [good] },
      { page: '/', runs: [slow] },
    ]),
  ).toEqual(['/: reckoned 1801, but the target is 1800'])
})

test('a page that requires a login is not scored for search engine optimisation', () => {
  const { seo: _, ...run } = good
  expect(computeMedians({ page: '/', runs: [run, run, run] })).toEqual(run)
})
