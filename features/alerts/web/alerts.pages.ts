import type { PageEntry } from '#kit/web/page.ts'

export const alertPages: PageEntry[] = [
  {
    path: '/services/:uuid/alerts/',
    title: 'Alerts',
    needs: () => import('./alerts.needs.ts'),
    load: () => import('./alerts.page.tsx'),
  },
]
