import type { PageLoader } from '#kit/web/page.ts'
import { getCachedMe } from './me.queries.ts'

export { queries } from './me.loader.ts'

/** Sends someone who is already signed in to the page that they asked for. The router checks whether that path is a desk page. */
export const redirect: NonNullable<PageLoader['redirect']> = (client, { search }) =>
  getCachedMe(client) ? new URLSearchParams(search).get('next') || '/' : null
