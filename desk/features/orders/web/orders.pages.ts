import type { PageEntry } from '#kit/web/page.ts'

export const orderPages: PageEntry[] = [
  {
    path: '/orders/',
    title: 'Orders',
    load: () => import('./orders.page.tsx'),
    needs: () => import('./orders.needs.ts'),
  },
  {
    path: /^\/orders\/(?<code>[0-9A-Za-z]{6,24})\/$/,
    title: 'Order',
    load: () => import('./order.page.tsx'),
    needs: () => import('./order.needs.ts'),
  },
]
