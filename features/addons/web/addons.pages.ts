import type { PageEntry } from '#kit/web/page.ts'

export const addOnPages: PageEntry[] = [
  {
    path: '/services/:uuid/addons/',
    title: 'Purchase Add-Ons',
    loader: () => import('./addons.loader.ts'),
    component: () => import('./addons.page.tsx'),
  },
  {
    path: '/services/:uuid/addons/success/',
    title: 'Add-On Purchase Successful!',
    loader: () => import('./success.loader.ts'),
    component: () => import('./success.page.tsx'),
  },
]
