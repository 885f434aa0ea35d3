import type { PageEntry } from '#kit/web/page.ts'

export const limitsPages: PageEntry[] = [
  {
    path: '/limits/',
    title: 'Limits',
    component: () => import('./limits.page.tsx'),
    loader: () => import('./limits.loader.ts'),
  },
]
