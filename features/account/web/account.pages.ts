import type { PageEntry } from '#kit/web/page.ts'

export const accountPages: PageEntry[] = [
  {
    path: '/account/',
    title: 'Contact Details',
    loader: () => import('./account.loader.ts'),
    component: () => import('./contact-details.page.tsx'),
  },
  {
    path: '/account/contact-details/',
    title: 'Contact Details',
    loader: () => import('./contact-details.loader.ts'),
    component: () => import('./contact-details.page.tsx'),
  },
  {
    path: '/account/contact-details/phone-confirm/',
    title: 'Confirm Your Phone Number',
    loader: () => import('./phone-confirm.loader.ts'),
    component: () => import('./phone-confirm.page.tsx'),
  },
  {
    path: '/account/contact-details/phone-success/',
    title: 'Your Phone Number',
    loader: () => import('#features/auth/web/private.loader.ts'),
    component: () => import('./phone-success.page.tsx'),
  },
  {
    path: '/account/change-password/',
    title: 'Change Password',
    loader: () => import('#features/auth/web/private.loader.ts'),
    component: () => import('./change-password.page.tsx'),
  },
]
