import type { PageEntry } from '#kit/web/page.ts'

export const accessReviewPages: PageEntry[] = [
  {
    path: '/audit/checks/',
    title: 'Random checks',
    component: () => import('./access-reviews.page.tsx'),
    loader: () => import('./access-reviews.loader.ts'),
  },
]
