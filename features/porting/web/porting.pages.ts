import type { PageEntry } from '#kit/web/page.ts'

export const portingPages: PageEntry[] = [
  {
    path: '/services/:uuid/port/',
    title: 'Request Number Transfer',
    loader: () => import('./port.loader.ts'),
    component: () => import('./port.page.tsx'),
  },
  {
    path: '/services/:uuid/port/success/',
    title: 'Number Transfer Request Submitted',
    loader: () => import('./port-success.loader.ts'),
    component: () => import('./port-success.page.tsx'),
  },
]
