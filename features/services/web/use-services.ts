import { useApi } from '#kit/web/api.tsx'
import { type QueryResult, useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import type { Service } from '../services.contract.ts'
import { servicesQuery } from './services.queries.ts'

/** The interval between two polls, in milliseconds. */
const pollIntervalMs = 10_000

export function useServices(): QueryResult<Record<string, Service>> {
  const query = servicesQuery(useApi())
  const cachedServices = useQueryClient().getQueryData(query.queryKey)
  const isPolling = Object.values(cachedServices ?? {}).some(
    (service) => isTransferOpen(service) || service.outlook.state === 'next_plan_cancelling',
  )
  return useQuery({ ...query, ...(isPolling && { refetchInterval: () => pollIntervalMs }) })
}

/** Whether the service has a transfer with status NEW or SUBMITTED. */
export const isTransferOpen = ({ porting_request: port }: Service): boolean => port?.status === 1 || port?.status === 2
