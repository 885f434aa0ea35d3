import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readAdvice } from '../history.contract.ts'

/** The advice on each service's plan. It changes once a cycle. */
export const adviceQuery = (api: Api) =>
  queryOptions({
    queryKey: ['plan-advice'],
    staleTime: 60_000,
    queryFn: async () => (await api.call(readAdvice, {})).data,
  })
