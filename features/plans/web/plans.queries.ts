import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listPlanFilters, listProducts } from '../plans.contract.ts'

export const productsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['products'],
    queryFn: async () => (await api.call(listProducts, {})).data,
    staleTime: 60_000,
  })

export const planFiltersQuery = (api: Api) =>
  queryOptions({
    queryKey: ['plan-filters'],
    queryFn: async () => (await api.call(listPlanFilters, {})).data,
    staleTime: 60_000,
  })
