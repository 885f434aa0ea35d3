import type { PageEntry } from '#kit/web/page.ts'

export const numberPages: PageEntry[] = [
  {
    path: '/services/:uuid/number/',
    title: 'Phone Number',
    needs: () => import('./number.needs.ts'),
    load: () => import('./number.page.tsx'),
  },
]
