import type { PageEntry } from '#kit/web/page.ts'

export const alertPages: PageEntry[] = [
  {
    path: '/services/:uuid/alerts/',
    title: 'Alerts',
    loader: () => import('./alerts.loader.ts'),
    component: () => import('./alerts.page.tsx'),
  },
]
