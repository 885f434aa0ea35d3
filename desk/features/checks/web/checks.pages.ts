import type { PageEntry } from '#kit/web/page.ts'

export const checksPages: PageEntry[] = [
  {
    path: '/audit/checks/',
    title: 'Random checks',
    load: () => import('./checks.page.tsx'),
    needs: () => import('./checks.needs.ts'),
  },
]
