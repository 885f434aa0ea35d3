import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readChecks } from '../checks.contract.ts'

export const checksQuery = (api: Api) =>
  queryOptions({
    queryKey: ['checks'],
    queryFn: async () => (await api.call(readChecks, {})).data,
  })
