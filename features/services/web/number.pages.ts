import type { PageEntry } from '#kit/web/page.ts'

export const numberPages: PageEntry[] = [
  {
    path: '/services/:uuid/number/',
    title: 'Phone Number',
    loader: () => import('./number.loader.ts'),
    component: () => import('./number.page.tsx'),
  },
]
