import type { PageEntry } from '#kit/web/page.ts'

/** The dashboard, with the list of services alone or with one of them open. */
export const dashboardPages: PageEntry[] = [
  {
    path: '/',
    title: 'My Dashboard',
    needs: () => import('./dashboard.needs.ts'),
    load: () => import('./dashboard.page.tsx'),
  },
  {
    path: '/services/:uuid/',
    title: 'My Dashboard',
    needs: () => import('./dashboard.needs.ts'),
    load: () => import('./dashboard.page.tsx'),
  },
]
