import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readBatch } from '../batches.contract.ts'
import { type Load, readSimLoad } from '../sim-loads.contract.ts'
import { readStock } from '../stock.contract.ts'
import { isUnderWay } from './sim-load.labels.ts'

export const stockQuery = (api: Api) =>
  queryOptions({
    queryKey: ['stock'],
    queryFn: async () => (await api.call(readStock, {})).data,
    staleTime: 5_000,
    refetchInterval: (data) => (data?.loads.some(isUnderWay) ? 3_000 : 60_000),
  })

export type BadLinesFilter = { kind: string; after: string }

export function badLinesFilterFromUrl(search: string): BadLinesFilter {
  const query = new URLSearchParams(search)
  const after = query.get('after') ?? ''
  return { kind: (query.get('kind') ?? '').slice(0, 20), after: /^\d{1,7}$/.test(after) ? after : '' }
}

export const simLoadQuery = (api: Api, id: string, { kind, after }: BadLinesFilter) =>
  queryOptions({
    queryKey: ['load', id, kind, after],
    queryFn: async () =>
      (await api.call(readSimLoad, { params: { id }, query: { ...(kind && { kind }), ...(after && { after }) } })).data,
    staleTime: 1_000,
    refetchInterval: (data) => getPollInterval(data?.load),
  })

/**
 * Returns the polling interval in milliseconds. It is short at first, because most files are checked quickly, and long
 * once the upload is waiting for a person or has finished.
 */
export function getPollInterval(load: Load | undefined): number {
  if (!load || !isUnderWay(load)) return 30_000
  if (load.age_seconds < 20) return 700
  return load.age_seconds < 120 ? 2_000 : 5_000
}

export const batchQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['batch', id],
    queryFn: async () => (await api.call(readBatch, { params: { id } })).data,
    staleTime: 1_000,
    refetchInterval: (data) => (data?.batch.state === 'asked' ? 10_000 : 60_000),
  })
