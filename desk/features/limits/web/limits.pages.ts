import type { PageEntry } from '#kit/web/page.ts'

export const limitsPages: PageEntry[] = [
  {
    path: '/limits/',
    title: 'Limits',
    load: () => import('./limits.page.tsx'),
    needs: () => import('./limits.needs.ts'),
  },
]
