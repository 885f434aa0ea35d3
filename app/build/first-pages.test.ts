import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../pages.ts'
import { listPageModules } from './page-modules.ts'

test('pages with the same modules are listed only once', () => {
  const found = listPageModules(join(import.meta.dirname, '../..'))
  expect(found).toContainEqual(['features/auth/web/public-only.loader.ts', 'features/auth/web/login.page.tsx'])
  expect(found).toContainEqual(['kit/web/screens/not-found.page.tsx'])
  expect(found.filter(([loader]) => loader === 'features/dashboard/web/dashboard.loader.ts')).toHaveLength(1)
  // Pages with exactly the same modules are rare. The two routes of the dashboard are an example.
  expect(pages.length - found.length).toBeLessThan(5)
})
