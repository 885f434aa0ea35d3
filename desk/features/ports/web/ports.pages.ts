import type { PageEntry } from '#kit/web/page.ts'

export const portPages: PageEntry[] = [
  {
    path: '/ports/',
    title: 'Ports',
    component: () => import('./ports.page.tsx'),
    loader: () => import('./ports.loader.ts'),
  },
  {
    path: /^\/ports\/(?<reference>[\w-]{3,80})\/$/,
    title: 'Port',
    component: () => import('./port.page.tsx'),
    loader: () => import('./port.loader.ts'),
  },
]
