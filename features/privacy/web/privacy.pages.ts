import type { PageEntry } from '#kit/web/page.ts'

/** One's own data: pages of the account area. */
export const privacyPages: PageEntry[] = [
  {
    path: '/account/privacy/',
    title: 'Privacy',
    needs: () => import('./privacy.needs.ts'),
    load: () => import('./privacy.page.tsx'),
  },
]
