import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../pages.ts'
import { listPageModules } from './page-modules.ts'

test('pages with the same modules share one entry in the list of pages', () => {
  const found = listPageModules(join(import.meta.dirname, '../..'))
  expect(found).toContainEqual(['features/auth/web/public-only.loader.ts', 'features/auth/web/login.page.tsx'])
  expect(found).toContainEqual(['kit/web/screens/not-found.page.tsx'])
  expect(found.filter(([loader]) => loader === 'features/dashboard/web/dashboard.loader.ts')).toHaveLength(1)
  // Only a few pages share all their modules, such as two routes of the dashboard.
  expect(pages.length - found.length).toBeLessThan(5)
})
