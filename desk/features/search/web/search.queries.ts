import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { search } from '../search.contract.ts'

export const searchTextFromUrl = (searchOfPage: string): string =>
  (new URLSearchParams(searchOfPage).get('q') ?? '').trim()

export const searchQuery = (api: Api, text: string) =>
  queryOptions({
    queryKey: ['found', text],
    queryFn: async () => (await api.call(search, { query: { q: text } })).data,
    enabled: text !== '',
  })
