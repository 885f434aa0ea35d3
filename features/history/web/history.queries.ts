import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { readHistory } from '../history.contract.ts'

const historyKey = (uuid: string) => ['usage-history', uuid]

export const historyQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: historyKey(uuid),
    staleTime: 5_000,
    queryFn: async () => {
      try {
        return (await api.call(readHistory, { params: { uuid } })).data
      } catch (error) {
        // Cache a 404 like a successful response, so that the server can render the not-found page.
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

export const isHistoryMissing = (client: QueryClient, { uuid = '' }: Record<string, string>): boolean =>
  client.getQueryData(historyKey(uuid)) === null
