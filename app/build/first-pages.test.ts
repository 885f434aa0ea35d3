import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../pages.ts'
import { listPageModules } from './page-modules.ts'

test('routes that load the same modules are listed as one page', () => {
  const found = listPageModules(join(import.meta.dirname, '../..'))
  expect(found).toContainEqual(['features/auth/web/public-only.loader.ts', 'features/auth/web/login.page.tsx'])
  expect(found).toContainEqual(['kit/web/screens/not-found.page.tsx'])
  expect(found.filter(([loader]) => loader === 'features/dashboard/web/dashboard.loader.ts')).toHaveLength(1)
  // Few pages consist of exactly the same modules; the dashboard's two routes are one such pair.
  expect(pages.length - found.length).toBeLessThan(5)
})
