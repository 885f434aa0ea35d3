import type { PageEntry } from '#kit/web/page.ts'

export const todayPages: PageEntry[] = [
  {
    path: '/',
    title: 'Today',
    load: () => import('./today.page.tsx'),
    needs: () => import('./today.needs.ts'),
  },
]
