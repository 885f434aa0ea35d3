import type { PageEntry } from '#kit/web/page.ts'

/** How a customer is told of what a number uses. */
export const alertPages: PageEntry[] = [
  {
    path: '/services/:uuid/alerts/',
    title: 'Alerts',
    needs: () => import('./alerts.needs.ts'),
    load: () => import('./alerts.page.tsx'),
  },
]
