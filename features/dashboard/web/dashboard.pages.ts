import type { PageEntry } from '#kit/web/page.ts'

export const dashboardPages: PageEntry[] = [
  {
    path: '/',
    title: 'My Dashboard',
    loader: () => import('./dashboard.loader.ts'),
    component: () => import('./dashboard.page.tsx'),
  },
  {
    path: '/services/:uuid/',
    title: 'My Dashboard',
    loader: () => import('./dashboard.loader.ts'),
    component: () => import('./dashboard.page.tsx'),
  },
]
