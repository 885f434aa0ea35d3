import type { PageEntry, Params } from '#kit/web/page.ts'
import type { QueryKey } from '#kit/web/query/query-client.ts'

export type PageState = {
  /**
   * Keys and data of the queries that succeeded. Their age counts from their arrival, by the browser's clock.
   * Older or incomplete data has the time 0 and is requested again.
   */
  queries: [key: QueryKey, data: unknown, at?: number][]
  page: Pick<PageEntry, 'title' | 'status'> & { params: Params }
  rendered: boolean
}

export const elementIds = { root: 'root', bootstrap: 'bootstrap', state: 'state', csrfToken: 'csrf-token' } as const
