import type { PageEntry } from '#kit/web/page.ts'

export const changeEmailPages: PageEntry[] = [
  {
    path: '/account/contact-details/change-email/',
    title: 'Change Email',
    loader: () => import('./change-email.loader.ts'),
    component: () => import('./change-email.page.tsx'),
  },
]
