import type { PageEntry } from '#kit/web/page.ts'

export const moneyPages: PageEntry[] = [
  {
    path: /^\/money\/(?:(?:disputes|approvals)\/)?$/,
    title: 'Money',
    load: () => import('./disputes.page.tsx'),
    needs: () => import('./disputes.needs.ts'),
  },
  {
    path: '/money/refunds/',
    title: 'Refunds',
    load: () => import('./refunds.page.tsx'),
    needs: () => import('./refunds.needs.ts'),
  },
  {
    path: '/money/days/',
    title: 'Days',
    load: () => import('./days.page.tsx'),
    needs: () => import('./days.needs.ts'),
  },
  {
    path: /^\/money\/disputes\/(?<reference>[\w-]{1,80})\/$/,
    title: 'Dispute',
    load: () => import('./dispute.page.tsx'),
    needs: () => import('./dispute.needs.ts'),
  },
]
