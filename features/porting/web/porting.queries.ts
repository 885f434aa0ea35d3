import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { serviceIn } from '#features/services/web/services.queries.ts'
import { readLastPort } from '../port-service.contract.ts'
import { listPortingProviders } from '../porting.contract.ts'
import { isOver, statusNamed } from '../porting.states.ts'

export const donorsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['porting-providers'],
    queryFn: async () => (await api.call(listPortingProviders, {})).data,
    staleTime: 600_000,
  })

const askedKey = (uuid: string) => ['transfer-asked', uuid]

export const noteTransfer = (client: QueryClient, uuid: string): void => client.setQueryData(askedKey(uuid), true)

export function forgetNote(client: QueryClient, uuid: string): void {
  if (isUnderWay(client, uuid)) client.setQueryData(askedKey(uuid), false)
}

export function isTransferUnderWay(client: QueryClient, uuid: string): boolean | null {
  if (client.getQueryData(askedKey(uuid))) return true
  return serviceIn(client, uuid) ? isUnderWay(client, uuid) : null
}

function isUnderWay(client: QueryClient, uuid: string): boolean {
  const port = serviceIn(client, uuid)?.porting_request
  return port ? !isOver(statusNamed(port.status)) : false
}

export const lastPortQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: ['last-port', uuid],
    queryFn: async () => (await api.call(readLastPort, { params: { uuid } })).data,
  })
