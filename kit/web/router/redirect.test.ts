import { describe, expect, test } from 'vitest'
import { definePages, matchPage, type PageEntry, type PageLoader } from '../page.ts'
import { createQueryClient } from '../query/query-client.ts'
import { loadPage } from './page-modules.ts'
import { findRedirect } from './redirect.ts'

const load: PageEntry['component'] = async () => ({ default: () => null })

async function redirected(redirect: PageLoader['redirect'], path = '/here/7/', search = ''): Promise<string | null> {
  const pages = definePages([
    { path: '/here/:id/', title: 'Here', component: load, loader: async () => ({ redirect }) },
    { path: /^/, title: 'Not Found', status: 404, component: load },
  ])
  const client = createQueryClient()
  client.setQueryData(['user'], 'Ana')
  const match = matchPage(pages, path)
  await loadPage(match.page)
  return findRedirect(match, { path, search }, client)
}

describe('findRedirect: page redirects', () => {
  test('a page without a redirect rule, or whose rule returns null, does not redirect', async () => {
    expect(await redirected(undefined)).toBeNull()
    expect(await redirected(() => null)).toBeNull()
  })

  test('a redirect rule receives the data, path, query string and parameters', async () => {
    const target = await redirected(
      (client, { path, search, params }) =>
        `/to/${client.getQueryData(['user'])}/?${new URLSearchParams({ path, search, ...params })}`,
      '/here/7/',
      'a=b',
    )
    expect(target).toBe('/to/Ana/?path=%2Fhere%2F7%2F&search=a%3Db&id=7')
  })

  test('a page whose redirect points to itself does not redirect', async () => {
    expect(await redirected(() => '/here/7/')).toBeNull()
    expect(await redirected(() => '/here/7/?a=b', '/here/7/', 'a=b')).toBeNull()
    expect(await redirected(() => '/here/7/', '/here/7/', 'a=b')).toBe('/here/7/')
  })

  test('adds a missing trailing slash before any rule runs, and keeps the query string', async () => {
    expect(await redirected(() => '/never/', '/here/7', 'a=b')).toBe('/here/7/?a=b')
  })

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/.//evil.example/',
    '\n//evil.example',
    'javascript:alert(1)',
    'here',
    '',
  ])('never redirects out of the portal: %j', async (target) => expect(await redirected(() => target)).toBe('/'))

  test("encodes a redirect's target for use in a header", async () => {
    expect(await redirected(() => '/a b/ā/?q=a\r\nb')).toBe('/a%20b/%C4%81/?q=ab')
  })
})
