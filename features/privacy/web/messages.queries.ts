import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readMessages } from '../messages.contract.ts'

export const newestMessagesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sent-messages'],
    staleTime: 5_000,
    queryFn: async () => (await api.call(readMessages, {})).data,
  })
