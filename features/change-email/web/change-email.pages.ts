import type { PageEntry } from '#kit/web/page.ts'

export const changeEmailPages: PageEntry[] = [
  {
    path: '/account/contact-details/change-email/',
    title: 'Change Email',
    needs: () => import('./change-email.needs.ts'),
    load: () => import('./change-email.page.tsx'),
  },
]
