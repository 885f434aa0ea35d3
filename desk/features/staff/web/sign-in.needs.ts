import type { PageNeeds } from '#kit/web/page.ts'
import { meIn } from './me.queries.ts'

export { queries } from './me.needs.ts'

/** Whoever is signed in goes where they wanted to. Whether that is a page of the desk is the router's to judge. */
export const redirect: NonNullable<PageNeeds['redirect']> = (client, { search }) =>
  meIn(client) ? new URLSearchParams(search).get('next') || '/' : null
