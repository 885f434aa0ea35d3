import type { PageEntry } from '#kit/web/page.ts'

/** What a service has used, week by week. What is left of it is on the dashboard. */
export const usagePages: PageEntry[] = [
  {
    path: '/services/:uuid/detail/',
    title: 'Usage Detail',
    needs: () => import('./detail.needs.ts'),
    load: () => import('./detail.page.tsx'),
  },
]
