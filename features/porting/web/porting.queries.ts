import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { cachedService } from '#features/services/web/services.queries.ts'
import { readLastPort } from '../port-service.contract.ts'
import { listPortingProviders } from '../porting.contract.ts'
import { isTransferOver, statusFromWire } from '../porting.states.ts'

export const donorsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['porting-providers'],
    queryFn: async () => (await api.call(listPortingProviders, {})).data,
    staleTime: 600_000,
  })

const requestedKey = (uuid: string) => ['transfer-asked', uuid]

export const markTransferRequested = (client: QueryClient, uuid: string): void =>
  client.setQueryData(requestedKey(uuid), true)

export function clearRequestedMark(client: QueryClient, uuid: string): void {
  if (isListedUnderWay(client, uuid)) client.setQueryData(requestedKey(uuid), false)
}

export function isTransferUnderWay(client: QueryClient, uuid: string): boolean | null {
  if (client.getQueryData(requestedKey(uuid))) return true
  return cachedService(client, uuid) ? isListedUnderWay(client, uuid) : null
}

function isListedUnderWay(client: QueryClient, uuid: string): boolean {
  const port = cachedService(client, uuid)?.porting_request
  return port ? !isTransferOver(statusFromWire(port.status)) : false
}

export const lastPortQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: ['last-port', uuid],
    queryFn: async () => (await api.call(readLastPort, { params: { uuid } })).data,
  })
