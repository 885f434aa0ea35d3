import type { PageEntry } from '#kit/web/page.ts'

export const staffPages: PageEntry[] = [
  {
    path: '/sign-in/',
    title: 'Sign in',
    component: () => import('./sign-in.page.tsx'),
    loader: () => import('./sign-in.loader.ts'),
  },
  {
    path: '/not-allowed/',
    title: 'No access',
    component: () => import('./not-allowed.page.tsx'),
    loader: () => import('./not-allowed.loader.ts'),
  },
  { path: '/invited/:token/', title: 'Your invitation', component: () => import('./invited.page.tsx') },
]
