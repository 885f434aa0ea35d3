import type { PageLoader } from '#kit/web/page.ts'
import { cachedMe } from './me.queries.ts'

export { queries } from './me.loader.ts'

/** Sends a signed-in person to the page that they asked for. The router decides whether that path is a page of the desk. */
export const redirect: NonNullable<PageLoader['redirect']> = (client, { search }) =>
  cachedMe(client) ? new URLSearchParams(search).get('next') || '/' : null
