import type { PageNeeds } from '#kit/web/page.ts'
import { meIn } from './me.queries.ts'

export { queries } from './me.needs.ts'

/** Sends a signed-in person to the page that they asked for. The router decides whether that address is a page of the desk. */
export const redirect: NonNullable<PageNeeds['redirect']> = (client, { search }) =>
  meIn(client) ? new URLSearchParams(search).get('next') || '/' : null
