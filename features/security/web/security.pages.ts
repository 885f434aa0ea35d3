import type { PageEntry } from '#kit/web/page.ts'

export const securityPages: PageEntry[] = [
  {
    path: '/account/security/',
    title: 'Security',
    loader: () => import('./security.loader.ts'),
    component: () => import('./security.page.tsx'),
  },
]
