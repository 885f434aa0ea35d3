import type { PageEntry } from '#kit/web/page.ts'

export const searchPages: PageEntry[] = [
  {
    path: '/find/',
    title: 'Find',
    component: () => import('./find.page.tsx'),
    loader: () => import('./find.loader.ts'),
  },
]
