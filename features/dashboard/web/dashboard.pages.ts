import type { PageEntry } from '#kit/web/page.ts'

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
