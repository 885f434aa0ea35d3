import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readUsageDetail } from '../usage.contract.ts'

/** A service's week of use; 0 is the newest. Never part of a page's needs: no page waits for the network. */
export const usageDetailQuery = (api: Api, uuid: string, page: number) =>
  queryOptions({
    queryKey: ['usage-detail', uuid, page],
    queryFn: async () =>
      (await api.call(readUsageDetail, { params: { uuid }, ...(page > 0 && { query: { page: String(page) } }) })).data,
  })
