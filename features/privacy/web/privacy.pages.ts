import type { PageEntry } from '#kit/web/page.ts'

export const privacyPages: PageEntry[] = [
  {
    path: '/account/privacy/',
    title: 'Privacy',
    loader: () => import('./privacy.loader.ts'),
    component: () => import('./privacy.page.tsx'),
  },
  {
    path: '/account/privacy/messages/',
    title: 'What We Sent You',
    loader: () => import('./messages.loader.ts'),
    component: () => import('./messages.page.tsx'),
  },
  {
    path: '/account/privacy/erase/',
    title: 'Delete Your Data',
    loader: () => import('./erase-data.loader.ts'),
    component: () => import('./erase-data.page.tsx'),
  },
  // This page is public, because the account's owner may no longer be able to log in.
  {
    path: '/account/privacy/keep/',
    title: 'Keep Your Account',
    loader: () => import('./keep-account.loader.ts'),
    component: () => import('./keep-account.page.tsx'),
  },
]
