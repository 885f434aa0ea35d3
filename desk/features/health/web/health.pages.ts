import type { PageEntry } from '#kit/web/page.ts'

export const healthPages: PageEntry[] = [
  {
    path: '/health/',
    title: 'Health',
    load: () => import('./health.page.tsx'),
    needs: () => import('./health.needs.ts'),
  },
]
