import type { PageEntry } from '#kit/web/page.ts'

/** What a number used and cost in the last twelve months. */
export const historyPages: PageEntry[] = [
  {
    path: '/services/:uuid/history/',
    title: '12 Months',
    needs: () => import('./history.needs.ts'),
    load: () => import('./history.page.tsx'),
  },
]
