import type { PageEntry } from '#kit/web/page.ts'

export const teamPages: PageEntry[] = [
  { path: '/team/', title: 'Team', load: () => import('./team.page.tsx'), needs: () => import('./team.needs.ts') },
  {
    path: '/audit/',
    title: 'Audit',
    load: () => import('./audit.page.tsx'),
    needs: () => import('./audit.needs.ts'),
  },
]
