import type { PageEntry } from '#kit/web/page.ts'

export const historyPages: PageEntry[] = [
  {
    path: '/services/:uuid/history/',
    title: '12 Months',
    loader: () => import('./history.loader.ts'),
    component: () => import('./history.page.tsx'),
  },
]
