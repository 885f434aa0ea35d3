import type { PageEntry } from '#kit/web/page.ts'

export const customersPages: PageEntry[] = [
  {
    path: '/customers/:id/',
    title: 'Customer',
    load: () => import('./customer.page.tsx'),
    needs: () => import('./customer.needs.ts'),
  },
  {
    path: '/customers/:id/numbers/:service/',
    title: 'Number',
    load: () => import('./number.page.tsx'),
    needs: () => import('./number.needs.ts'),
  },
  {
    path: '/customers/:id/looked/',
    title: 'Who looked',
    load: () => import('./looked.page.tsx'),
    needs: () => import('./looked.needs.ts'),
  },
]
