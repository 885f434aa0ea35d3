import type { PageEntry } from '#kit/web/page.ts'

export const messagePages: PageEntry[] = [
  {
    path: '/messages/',
    title: 'Messages',
    load: () => import('./messages.page.tsx'),
    needs: () => import('./messages.needs.ts'),
  },
]
