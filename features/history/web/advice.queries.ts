import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readAdvice } from '../history.contract.ts'

export const adviceQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: ['plan-advice', uuid],
    staleTime: 60_000,
    queryFn: async () => (await api.call(readAdvice, { query: { uuid } })).data,
  })
