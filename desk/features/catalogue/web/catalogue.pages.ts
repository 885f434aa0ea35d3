import type { PageEntry } from '#kit/web/page.ts'

export const cataloguePages: PageEntry[] = [
  {
    path: '/catalogue/',
    title: 'Catalogue',
    load: () => import('./catalogue.page.tsx'),
    needs: () => import('./catalogue.needs.ts'),
  },
  {
    path: /^\/catalogue\/versions\/(?<number>[1-9]\d{0,8})\/$/,
    title: 'Version of the catalogue',
    load: () => import('./version.page.tsx'),
    needs: () => import('./version.needs.ts'),
  },
  {
    path: /^\/catalogue\/drafts\/(?<number>[1-9]\d{0,8})\/$/,
    title: 'Draft of a catalogue',
    load: () => import('./draft.page.tsx'),
    needs: () => import('./draft.needs.ts'),
  },
]
