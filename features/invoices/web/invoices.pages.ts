import type { PageEntry } from '#kit/web/page.ts'

export const invoicePages: PageEntry[] = [
  {
    path: '/account/purchases/',
    title: 'Purchases',
    needs: () => import('./numbers.needs.ts'),
    load: () => import('./numbers.page.tsx'),
  },
  {
    path: '/services/:uuid/invoices/',
    title: 'Purchase History',
    needs: () => import('./purchases.needs.ts'),
    load: () => import('./purchases.page.tsx'),
  },
  {
    path: '/services/:uuid/invoices/:orderCode/',
    title: 'Invoice',
    needs: () => import('./invoice.needs.ts'),
    load: () => import('./invoice.page.tsx'),
  },
]
