import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readAlerts } from '../alerts.contract.ts'

export const alertsQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: ['alerts', uuid],
    queryFn: async () => (await api.call(readAlerts, { params: { uuid } })).data,
  })
