import { definePages } from '#kit/web/page.ts'

/** Every page of the portal, in the order in which they are tried. */
export const pages = definePages([
  { path: /^/, title: 'Not Found', status: 404, load: () => import('#kit/web/screens/NotFoundScreen.tsx') },
])
