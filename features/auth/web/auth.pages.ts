import type { PageEntry } from '#kit/web/page.ts'

/** Pages of signing in and of the links that mails carry. */
export const authPages: PageEntry[] = [
  { path: '/verify/', title: 'Confirm Your Email Address', load: () => import('./verify.page.tsx') },
]
