import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listApprovals } from '../approvals.contract.ts'

export const approvalsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['approvals'],
    queryFn: async () => (await api.call(listApprovals, {})).data,
    refetchInterval: () => 30_000,
  })
