import type { PageEntry } from '#kit/web/page.ts'

/** A customer's own settings of a number: its name, its last day as a calendar entry, and its PUK. */
export const numberPages: PageEntry[] = [
  {
    path: '/services/:uuid/number/',
    title: 'Phone Number',
    needs: () => import('./number.needs.ts'),
    load: () => import('./number.page.tsx'),
  },
]
