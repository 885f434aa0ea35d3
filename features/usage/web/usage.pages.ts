import type { PageEntry } from '#kit/web/page.ts'

export const usagePages: PageEntry[] = [
  {
    path: '/services/:uuid/detail/',
    title: 'Usage Detail',
    loader: () => import('./detail.loader.ts'),
    component: () => import('./detail.page.tsx'),
  },
]
