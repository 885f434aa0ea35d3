import type { PageEntry } from '#kit/web/page.ts'

export const moneyPages: PageEntry[] = [
  {
    path: /^\/money\/(?:(?:disputes|approvals)\/)?$/,
    title: 'Money',
    component: () => import('./disputes.page.tsx'),
    loader: () => import('./disputes.loader.ts'),
  },
  {
    path: '/money/refunds/',
    title: 'Refunds',
    component: () => import('./refunds.page.tsx'),
    loader: () => import('./refunds.loader.ts'),
  },
  {
    path: '/money/days/',
    title: 'Days',
    component: () => import('./days.page.tsx'),
    loader: () => import('./days.loader.ts'),
  },
  {
    path: /^\/money\/disputes\/(?<reference>[\w-]{1,80})\/$/,
    title: 'Dispute',
    component: () => import('./dispute.page.tsx'),
    loader: () => import('./dispute.loader.ts'),
  },
]
