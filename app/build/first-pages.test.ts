import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../pages.ts'
import { pagesBelow } from './page-modules.ts'

test('every page of the table has a beginning, those that share all their modules one', () => {
  const found = pagesBelow(join(import.meta.dirname, '../..'))
  expect(found).toContainEqual(['features/auth/web/public-only.needs.ts', 'features/auth/web/login.page.tsx'])
  expect(found).toContainEqual(['kit/web/screens/not-found.page.tsx'])
  expect(found.filter(([needs]) => needs === 'features/dashboard/web/dashboard.needs.ts')).toHaveLength(1)
  // Two lines of the dashboard, all others have modules of their own, or share but one of two.
  expect(pages.length - found.length).toBeLessThan(5)
})
