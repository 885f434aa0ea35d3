import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listPorts, type PortList, portLists, readPort, readPortFigures } from '../ports.contract.ts'

export const portQuery = (api: Api, reference: string) =>
  queryOptions({
    queryKey: ['port', reference],
    queryFn: async () => (await api.call(readPort, { params: { reference } })).data,
  })

export type PortsFilter = { of: PortList; before: string | null }

export function portsFilterFromUrl(search: string): PortsFilter {
  const params = new URLSearchParams(search)
  return { of: portLists.find((each) => each === params.get('of')) ?? 'need', before: params.get('before') }
}

export const portsQuery = (api: Api, { of, before }: PortsFilter) =>
  queryOptions({
    queryKey: ['ports', of, before],
    queryFn: async () => (await api.call(listPorts, { query: { of, ...(before && { before }) } })).data,
  })

export const portFiguresQuery = (api: Api) =>
  queryOptions({
    queryKey: ['port-figures'],
    queryFn: async () => (await api.call(readPortFigures, {})).data,
  })
