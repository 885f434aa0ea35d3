import type { PageEntry } from '#kit/web/page.ts'

export const addOnPages: PageEntry[] = [
  {
    path: '/services/:uuid/addons/',
    title: 'Purchase Add-Ons',
    needs: () => import('./addons.needs.ts'),
    load: () => import('./addons.page.tsx'),
  },
  {
    path: '/services/:uuid/addons/success/',
    title: 'Add-On Purchase Successful!',
    needs: () => import('./success.needs.ts'),
    load: () => import('./success.page.tsx'),
  },
]
