import type { PageEntry, Params } from '#kit/web/page.ts'
import type { QueryKey } from '#kit/web/query/query-client.ts'

/** A page's data inside its document, beside the bootstrap. */
export type PageState = {
  /**
   * Keys and data of the queries that succeeded. Their age counts from their arrival, by the browser's clock.
   * Older or incomplete data has the time 0 and is requested again.
   */
  queries: [key: QueryKey, data: unknown, at?: number][]
  /** The page's entry in the table of pages, which loads later, as far as the first visit needs it. */
  page: Pick<PageEntry, 'title' | 'status'> & { params: Params }
  /** False if the page could not be rendered on the server. Its root is empty then. */
  rendered: boolean
}

export const ids = { root: 'root', bootstrap: 'bootstrap', state: 'state', csrfToken: 'csrf-token' } as const
