import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { search } from '../search.contract.ts'

/** The search text in the query string of a page, without spaces around it. */
export const wantedIn = (searchOfPage: string): string => (new URLSearchParams(searchOfPage).get('q') ?? '').trim()

export const searchQuery = (api: Api, text: string) =>
  queryOptions({
    queryKey: ['found', text],
    queryFn: async () => (await api.call(search, { query: { q: text } })).data,
    enabled: text !== '',
  })
