import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listPortingProviders } from '../porting.contract.ts'

export const donorsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['porting-providers'],
    queryFn: async () => (await api.call(listPortingProviders, {})).data.providers,
    staleTime: 600_000,
  })
