import type { PageEntry } from '#kit/web/page.ts'

export const styleGuidePages: PageEntry[] = [
  { path: '/styleguide/', title: 'Style Guide', load: () => import('./styleguide.page.tsx') },
]
