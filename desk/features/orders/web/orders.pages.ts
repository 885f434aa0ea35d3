import type { PageEntry } from '#kit/web/page.ts'

export const orderPages: PageEntry[] = [
  {
    path: '/orders/',
    title: 'Orders',
    component: () => import('./orders.page.tsx'),
    loader: () => import('./orders.loader.ts'),
  },
  {
    path: /^\/orders\/(?<code>[0-9A-Za-z]{6,24})\/$/,
    title: 'Order',
    component: () => import('./order.page.tsx'),
    loader: () => import('./order.loader.ts'),
  },
]
