import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definePages, matchPage, type PageEntry } from './page.ts'

const load: PageEntry['component'] = async () => ({ default: () => null })
const notFound: PageEntry = { path: /^/, title: 'Not Found', status: 404, component: load }
const pages = definePages([
  { path: '/', title: 'Home', component: load },
  { path: '/services/renew/', title: 'Choose', component: load },
  { path: /^\/services\/renew\/(?<shortId>[^/]+)\/(?<method>voucher|plan)\/$/, title: 'Renew', component: load },
  { path: '/services/:uuid/', title: 'Service', component: load },
  { path: '/services/:uuid/invoices/:orderCode/', title: 'Invoice', component: load },
  { path: '/password-reset/:uid64/:token', title: 'Reset', component: load },
  { path: '/a.b/', title: 'Dot', component: load },
  { path: /^\/optional\/(?<page>\d+)?$/, title: 'Optional', component: load },
  notFound,
])

const found = (path: string) => {
  const { page, params, canonical } = matchPage(pages, path)
  return { title: page.title, params, canonical }
}

describe('matchPage: finding the page for a path', () => {
  test.each([
    ['/', 'Home', {}],
    ['/services/renew/', 'Choose', {}],
    ['/services/a1/', 'Service', { uuid: 'a1' }],
    ['/services/a1/invoices/O-7/', 'Invoice', { uuid: 'a1', orderCode: 'O-7' }],
    ['/services/renew/x9/plan/', 'Renew', { shortId: 'x9', method: 'plan' }],
    ['/password-reset/MQ/t-1', 'Reset', { uid64: 'MQ', token: 't-1' }],
    ['/optional/', 'Optional', {}],
  ])('the path %s matches the page %s', (path, title, params) =>
    expect(found(path)).toEqual({ title, params, canonical: null }),
  )

  test.each([
    '///',
    '/nowhere/',
    '/services/',
    '/services/a/b/',
    '/services/renew/x9/cash/',
    '/LOGIN/',
    '/aXb/',
    '/services/%zz/',
    '/services//',
  ])('the path %s is not found', (path) =>
    expect(found(path)).toEqual({ title: 'Not Found', params: {}, canonical: null }),
  )

  test('a path with a missing or an extra trailing slash matches its page and returns the canonical path', () => {
    expect(found('/services/a1')).toEqual({ title: 'Service', params: { uuid: 'a1' }, canonical: '/services/a1/' })
    expect(found('/password-reset/MQ/t/').canonical).toBe('/password-reset/MQ/t')
    expect(found('//').canonical).toBe('/')
  })

  test('any path parameter is decoded to its original value', () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme' })
    const property = fc.property(name, (uuid) => {
      expect(found(`/services/${encodeURIComponent(uuid)}/`).params).toEqual({ uuid })
    })
    fc.assert(property)
  })

  test('every path matches a page', () => {
    const property = fc.property(fc.string(), (path) => {
      expect(matchPage(pages, path).page.title).toBeTypeOf('string')
    })
    fc.assert(property)
  })
})

test('definePages rejects a table of pages that leaves some paths without a page', () => {
  expect(() => definePages([])).toThrow('status 404')
  expect(() => definePages([notFound, { path: '/', title: 'Home', component: load }])).toThrow('status 404')
  expect(() => definePages([{ ...notFound, path: '/only-here/' }])).toThrow('status 404')
})
