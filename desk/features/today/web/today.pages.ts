import type { PageEntry } from '#kit/web/page.ts'

export const todayPages: PageEntry[] = [
  {
    path: '/',
    title: 'Today',
    component: () => import('./today.page.tsx'),
    loader: () => import('./today.loader.ts'),
  },
]
