import type { PageEntry } from '#kit/web/page.ts'

export const cataloguePages: PageEntry[] = [
  {
    path: '/catalogue/',
    title: 'Catalogue',
    component: () => import('./catalogue.page.tsx'),
    loader: () => import('./catalogue.loader.ts'),
  },
  {
    path: /^\/catalogue\/versions\/(?<number>[1-9]\d{0,8})\/$/,
    title: 'Catalogue version',
    component: () => import('./version.page.tsx'),
    loader: () => import('./version.loader.ts'),
  },
  {
    path: /^\/catalogue\/drafts\/(?<number>[1-9]\d{0,8})\/$/,
    title: 'Catalogue draft',
    component: () => import('./draft.page.tsx'),
    loader: () => import('./draft.loader.ts'),
  },
]
