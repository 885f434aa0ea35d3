import type { PageEntry } from '#kit/web/page.ts'

export const healthPages: PageEntry[] = [
  {
    path: '/health/',
    title: 'Health',
    component: () => import('./health.page.tsx'),
    loader: () => import('./health.loader.ts'),
  },
]
