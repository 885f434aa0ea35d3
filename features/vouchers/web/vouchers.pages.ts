import type { PageEntry } from '#kit/web/page.ts'

export const voucherPages: PageEntry[] = [
  {
    path: '/use-voucher/:code/',
    title: 'Start with a Voucher Code',
    needs: () => import('./start.needs.ts'),
    load: () => import('./start.page.tsx'),
  },
]
