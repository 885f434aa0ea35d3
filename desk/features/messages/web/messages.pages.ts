import type { PageEntry } from '#kit/web/page.ts'

export const messagePages: PageEntry[] = [
  {
    path: '/messages/',
    title: 'Messages',
    component: () => import('./messages.page.tsx'),
    loader: () => import('./messages.loader.ts'),
  },
]
