import type { PageEntry } from '#kit/web/page.ts'

export const accountPages: PageEntry[] = [
  {
    path: '/account/',
    title: 'Contact Details',
    needs: () => import('./account.needs.ts'),
    load: () => import('./contact-details.page.tsx'),
  },
  {
    path: '/account/contact-details/',
    title: 'Contact Details',
    needs: () => import('./contact-details.needs.ts'),
    load: () => import('./contact-details.page.tsx'),
  },
  {
    path: '/account/contact-details/phone-confirm/',
    title: 'Confirm Your Phone Number',
    needs: () => import('./phone-confirm.needs.ts'),
    load: () => import('./phone-confirm.page.tsx'),
  },
  {
    path: '/account/contact-details/phone-success/',
    title: 'Your Phone Number',
    needs: () => import('#features/auth/web/private.needs.ts'),
    load: () => import('./phone-success.page.tsx'),
  },
  {
    path: '/account/change-password/',
    title: 'Change Password',
    needs: () => import('#features/auth/web/private.needs.ts'),
    load: () => import('./change-password.page.tsx'),
  },
]
