import type { PageEntry } from '#kit/web/page.ts'

export const customersPages: PageEntry[] = [
  {
    path: '/customers/:id/',
    title: 'Customer',
    component: () => import('./customer.page.tsx'),
    loader: () => import('./customer.loader.ts'),
  },
  {
    path: '/customers/:id/numbers/:service/',
    title: 'Number',
    component: () => import('./number.page.tsx'),
    loader: () => import('./number.loader.ts'),
  },
  {
    path: '/customers/:id/looked/',
    title: 'Access log',
    component: () => import('./access-log.page.tsx'),
    loader: () => import('./access-log.loader.ts'),
  },
]
