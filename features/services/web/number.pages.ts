import type { PageEntry } from '#kit/web/page.ts'

/** What is a customer's own about a number: what they call it, its last day in their calendar, and its PUK. */
export const numberPages: PageEntry[] = [
  {
    path: '/services/:uuid/number/',
    title: 'Phone Number',
    needs: () => import('./number.needs.ts'),
    load: () => import('./number.page.tsx'),
  },
]
