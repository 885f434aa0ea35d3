import type { PageEntry } from '#kit/web/page.ts'

export const invoicePages: PageEntry[] = [
  {
    path: '/account/purchases/',
    title: 'Purchases',
    loader: () => import('./numbers.loader.ts'),
    component: () => import('./numbers.page.tsx'),
  },
  {
    path: '/services/:uuid/invoices/',
    title: 'Purchase History',
    loader: () => import('./purchases.loader.ts'),
    component: () => import('./purchases.page.tsx'),
  },
  {
    path: '/services/:uuid/invoices/:orderCode/',
    title: 'Invoice',
    loader: () => import('./invoice.loader.ts'),
    component: () => import('./invoice.page.tsx'),
  },
]
