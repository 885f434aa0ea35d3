import type { PageEntry, Params } from '#kit/web/page.ts'
import type { QueryKey } from '#kit/web/query/query-client.ts'

/** What a page's data looks like inside its document, beside the bootstrap. */
export type PageState = {
  /**
   * Keys and data of the queries that succeeded. Their age is counted from their arrival, by the browser's own clock; what was kept from
   * before, or is only a part, has a 0 behind it and is asked for again.
   */
  queries: [key: QueryKey, data: unknown, at?: number][]
  /** The page's line of the table, which comes later, as far as its first visit reads it. */
  page: Pick<PageEntry, 'title' | 'status'> & { params: Params }
  /** False when the page could not be rendered on the server: then its root is empty. */
  rendered: boolean
}

/** Ids of the document's elements that both sides know. */
export const ids = { root: 'root', bootstrap: 'bootstrap', state: 'state', csrfToken: 'csrf-token' } as const
