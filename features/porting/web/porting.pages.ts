import type { PageEntry } from '#kit/web/page.ts'

export const portingPages: PageEntry[] = [
  {
    path: '/services/:uuid/port/',
    title: 'Request Number Transfer',
    needs: () => import('./port.needs.ts'),
    load: () => import('./port.page.tsx'),
  },
  {
    path: '/services/:uuid/port/success/',
    title: 'Number Transfer Request Submitted',
    needs: () => import('./port-success.needs.ts'),
    load: () => import('./port-success.page.tsx'),
  },
]
