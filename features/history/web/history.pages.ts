import type { PageEntry } from '#kit/web/page.ts'

export const historyPages: PageEntry[] = [
  {
    path: '/services/:uuid/history/',
    title: '12 Months',
    needs: () => import('./history.needs.ts'),
    load: () => import('./history.page.tsx'),
  },
]
