import type { PageEntry } from '#kit/web/page.ts'

export const privacyPages: PageEntry[] = [
  {
    path: '/account/privacy/',
    title: 'Privacy',
    needs: () => import('./privacy.needs.ts'),
    load: () => import('./privacy.page.tsx'),
  },
  {
    path: '/account/privacy/messages/',
    title: 'What We Sent You',
    needs: () => import('./messages.needs.ts'),
    load: () => import('./messages.page.tsx'),
  },
  {
    path: '/account/privacy/erase/',
    title: 'Delete Your Data',
    needs: () => import('./erase.needs.ts'),
    load: () => import('./erase.page.tsx'),
  },
  // Public, because the owner of the account may no longer be able to log in.
  {
    path: '/account/privacy/keep/',
    title: 'Keep Your Account',
    needs: () => import('./keep.needs.ts'),
    load: () => import('./keep.page.tsx'),
  },
]
