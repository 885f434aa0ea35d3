import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readLimits } from '../limits.contract.ts'

export const limitsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: async () => (await api.call(readLimits, {})).data,
  })
