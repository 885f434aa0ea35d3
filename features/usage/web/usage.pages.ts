import type { PageEntry } from '#kit/web/page.ts'

export const usagePages: PageEntry[] = [
  {
    path: '/services/:uuid/detail/',
    title: 'Usage Detail',
    needs: () => import('./detail.needs.ts'),
    load: () => import('./detail.page.tsx'),
  },
]
