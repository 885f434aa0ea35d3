import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listPorts, type PortList, portLists, readPort, readPortFigures } from '../ports.contract.ts'

export const portQuery = (api: Api, reference: string) =>
  queryOptions({
    queryKey: ['port', reference],
    queryFn: async () => (await api.call(readPort, { params: { reference } })).data,
  })

export type ListPlace = { of: PortList; before: string | null }

export function placeIn(search: string): ListPlace {
  const wanted = new URLSearchParams(search)
  return { of: portLists.find((each) => each === wanted.get('of')) ?? 'need', before: wanted.get('before') }
}

export const portsQuery = (api: Api, { of, before }: ListPlace) =>
  queryOptions({
    queryKey: ['ports', of, before],
    queryFn: async () => (await api.call(listPorts, { query: { of, ...(before && { before }) } })).data,
  })

export const portFiguresQuery = (api: Api) =>
  queryOptions({
    queryKey: ['port-figures'],
    queryFn: async () => (await api.call(readPortFigures, {})).data,
  })
