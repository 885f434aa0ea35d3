import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { pages } from '#app/pages.ts'
import { pagePatternRegex, type Report, reportSchema } from './error-reports.contract.ts'

const report: Report = {
  kind: 'call',
  name: 'TypeError',
  message: 'x is not a function',
  frames: ['/static/build/a-1_B.js:1:20345', '/static/build/features/x/web/y.page.tsx:12:3'],
  page: '/services/:uuid/',
  request_id: '0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f',
  build: 'entry-client--kOk5-ZX.js',
  browser: 'Chrome 138',
}
const takes = (change: object) => v.is(reportSchema, { ...report, ...change })

test('the server accepts error reports in the format that the portal sends', () => {
  expect(takes({})).toBe(true)
  expect(takes({ request_id: null, frames: [], page: '(other)', browser: 'other' })).toBe(true)
  expect(takes({ page: '/' })).toBe(true)
  expect(takes({ page: '/services/renew/:shortId/:paymentMethod/' })).toBe(true)
})

test('an error report may contain the route pattern of any portal page', () => {
  const patterns = pages.flatMap(({ path }) => (typeof path === 'string' ? [path] : []))
  expect(patterns.length).toBeGreaterThan(20)
  expect(patterns.filter((pattern) => !pagePatternRegex.test(pattern))).toEqual([])
})

describe('values that an error report must not contain', () => {
  test.each([
    [{ kind: 'click' }],
    [{ name: 'Ana Rewi' }],
    [{ name: 'E'.repeat(61) }],
    [{ message: 'x'.repeat(301) }],
    [{ frames: ['https://my.example.nz/static/build/a.js:1:2'] }],
    [{ frames: ['/services/7/:1:2'] }],
    [{ frames: ['/static/build/a.js?token=1:1:2'] }],
    [{ frames: Array(21).fill('/static/build/a.js:1:2') }],
    [{ page: '/services/0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f/' }],
    [{ page: '/login/?next=/' }],
    [{ page: '/password-reset/Mzk/a1b2c3' }],
    [{ page: 'https://my.example.nz/' }],
    [{ page: `/${'a/'.repeat(9)}` }],
    [{ request_id: '7' }],
    [{ build: '../../etc/passwd' }],
    [{ browser: 'Mozilla/5.0 (X11; Linux x86_64)' }],
    [{ browser: 'Chrome 138.0.7204.49' }],
  ])('rejects an error report with %o', (change) => expect(takes(change)).toBe(false))

  test('unknown fields of an error report are dropped', () => {
    expect(v.parse(reportSchema, { ...report, email: 'ana@example.nz', url: '/x' })).toEqual(report)
  })
})
