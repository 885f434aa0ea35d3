import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { cachedService } from '#features/services/web/services.queries.ts'
import { readLastPort } from '../port-service.contract.ts'
import { listPortingProviders } from '../porting.contract.ts'
import { isTransferOver, parseWireStatus } from '../porting.states.ts'

export const donorsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['porting-providers'],
    queryFn: async () => (await api.call(listPortingProviders, {})).data,
    staleTime: 600_000,
  })

const transferRequestedKey = (uuid: string) => ['transfer-asked', uuid]

export const markTransferRequested = (client: QueryClient, uuid: string): void =>
  client.setQueryData(transferRequestedKey(uuid), true)

export function clearTransferRequestedMark(client: QueryClient, uuid: string): void {
  if (isCachedTransferUnderWay(client, uuid)) client.setQueryData(transferRequestedKey(uuid), false)
}

export function isTransferUnderWay(client: QueryClient, uuid: string): boolean | null {
  if (client.getQueryData(transferRequestedKey(uuid))) return true
  return cachedService(client, uuid) ? isCachedTransferUnderWay(client, uuid) : null
}

function isCachedTransferUnderWay(client: QueryClient, uuid: string): boolean {
  const port = cachedService(client, uuid)?.porting_request
  return port ? !isTransferOver(parseWireStatus(port.status)) : false
}

export const lastPortQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: ['last-port', uuid],
    queryFn: async () => (await api.call(readLastPort, { params: { uuid } })).data,
  })
