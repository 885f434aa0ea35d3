import type { PageEntry } from '#kit/web/page.ts'

/** Where the customer is signed in, and what happened in the account: a page of the account area. */
export const securityPages: PageEntry[] = [
  {
    path: '/account/security/',
    title: 'Security',
    needs: () => import('./security.needs.ts'),
    load: () => import('./security.page.tsx'),
  },
]
