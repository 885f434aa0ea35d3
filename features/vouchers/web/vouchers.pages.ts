import type { PageEntry } from '#kit/web/page.ts'

export const voucherPages: PageEntry[] = [
  {
    path: '/use-voucher/:code/',
    title: 'Start with a Voucher Code',
    loader: () => import('./start.loader.ts'),
    component: () => import('./start.page.tsx'),
  },
]
