import type { PageEntry } from '#kit/web/page.ts'

export const stockPages: PageEntry[] = [
  {
    path: /^\/stock\/(?:(?:sims|vouchers|numbers|loads|batches)\/)?$/,
    title: 'Stock',
    load: () => import('./stock.page.tsx'),
    needs: () => import('./stock.needs.ts'),
  },
  {
    path: '/stock/loads/new/',
    title: 'Load SIM packs',
    load: () => import('./new-load.page.tsx'),
    needs: () => import('./new-load.needs.ts'),
  },
  {
    path: /^\/stock\/loads\/(?<id>[0-9A-Z]{8})\/$/,
    title: 'Load',
    load: () => import('./load.page.tsx'),
    needs: () => import('./load.needs.ts'),
  },
  {
    path: '/stock/batches/new/',
    title: 'Make vouchers',
    load: () => import('./new-batch.page.tsx'),
    needs: () => import('./new-batch.needs.ts'),
  },
  {
    path: /^\/stock\/batches\/(?<id>[0-9A-Z]{8})\/$/,
    title: 'Batch of vouchers',
    load: () => import('./batch.page.tsx'),
    needs: () => import('./batch.needs.ts'),
  },
]
