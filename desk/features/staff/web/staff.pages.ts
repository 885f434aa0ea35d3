import type { PageEntry } from '#kit/web/page.ts'

export const staffPages: PageEntry[] = [
  {
    path: '/sign-in/',
    title: 'Sign in',
    load: () => import('./sign-in.page.tsx'),
    needs: () => import('./sign-in.needs.ts'),
  },
  { path: '/invited/:token/', title: 'Your invitation', load: () => import('./invited.page.tsx') },
]
