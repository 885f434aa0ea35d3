import type { PageEntry } from '#kit/web/page.ts'

export const teamPages: PageEntry[] = [
  {
    path: '/team/',
    title: 'Team',
    component: () => import('./team.page.tsx'),
    loader: () => import('./team.loader.ts'),
  },
  {
    path: '/audit/',
    title: 'Audit',
    component: () => import('./audit.page.tsx'),
    loader: () => import('./audit.loader.ts'),
  },
]
