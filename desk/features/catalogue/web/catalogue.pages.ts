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
    title: 'Version of the catalogue',
    component: () => import('./version.page.tsx'),
    loader: () => import('./version.loader.ts'),
  },
  {
    path: /^\/catalogue\/drafts\/(?<number>[1-9]\d{0,8})\/$/,
    title: 'Draft of a catalogue',
    component: () => import('./draft.page.tsx'),
    loader: () => import('./draft.loader.ts'),
  },
]
