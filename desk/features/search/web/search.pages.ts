import type { PageEntry } from '#kit/web/page.ts'

export const searchPages: PageEntry[] = [
  {
    path: '/find/',
    title: 'Find',
    load: () => import('./find.page.tsx'),
    needs: () => import('./find.needs.ts'),
  },
]
