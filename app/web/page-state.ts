import type { PageEntry, Params } from '#kit/web/page.ts'
import type { QueryKey } from '#kit/web/query/query-client.ts'

export type PageState = {
  /**
   * Keys and data of the queries that succeeded on the server. The browser measures the data's age from its arrival. Data that is out of
   * date or incomplete gets the update time 0, so that the browser requests it again.
   */
  queries: [key: QueryKey, data: unknown, at?: number][]
  page: Pick<PageEntry, 'title' | 'status'> & { params: Params }
  rendered: boolean
}

export const elementIds = { root: 'root', bootstrap: 'bootstrap', state: 'state', csrfToken: 'csrf-token' } as const
