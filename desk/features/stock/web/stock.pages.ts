import type { PageEntry } from '#kit/web/page.ts'

export const stockPages: PageEntry[] = [
  {
    path: /^\/stock\/(?:(?:sims|vouchers|numbers|loads|batches)\/)?$/,
    title: 'Stock',
    component: () => import('./stock.page.tsx'),
    loader: () => import('./stock.loader.ts'),
  },
  {
    path: '/stock/loads/new/',
    title: 'Load SIM packs',
    component: () => import('./new-sim-load.page.tsx'),
    loader: () => import('./new-sim-load.loader.ts'),
  },
  {
    path: /^\/stock\/loads\/(?<id>[0-9A-Z]{8})\/$/,
    title: 'Load',
    component: () => import('./sim-load.page.tsx'),
    loader: () => import('./sim-load.loader.ts'),
  },
  {
    path: '/stock/batches/new/',
    title: 'Make vouchers',
    component: () => import('./new-batch.page.tsx'),
    loader: () => import('./new-batch.loader.ts'),
  },
  {
    path: /^\/stock\/batches\/(?<id>[0-9A-Z]{8})\/$/,
    title: 'Voucher batch',
    component: () => import('./batch.page.tsx'),
    loader: () => import('./batch.loader.ts'),
  },
]
