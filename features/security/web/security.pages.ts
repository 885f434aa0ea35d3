import type { PageEntry } from '#kit/web/page.ts'

export const securityPages: PageEntry[] = [
  {
    path: '/account/security/',
    title: 'Security',
    needs: () => import('./security.needs.ts'),
    load: () => import('./security.page.tsx'),
  },
]
