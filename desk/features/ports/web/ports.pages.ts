import type { PageEntry } from '#kit/web/page.ts'

export const portPages: PageEntry[] = [
  {
    path: '/ports/',
    title: 'Ports',
    load: () => import('./ports.page.tsx'),
    needs: () => import('./ports.needs.ts'),
  },
  {
    path: /^\/ports\/(?<reference>[\w-]{3,80})\/$/,
    title: 'Port',
    load: () => import('./port.page.tsx'),
    needs: () => import('./port.needs.ts'),
  },
]
