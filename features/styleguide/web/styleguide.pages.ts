import type { PageEntry } from '#kit/web/page.ts'

export const styleGuidePages: PageEntry[] = [
  { path: '/styleguide/', title: 'Style Guide', component: () => import('./styleguide.page.tsx') },
]
