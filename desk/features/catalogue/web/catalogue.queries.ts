import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readCatalogue, readDraft, readVersion } from '../catalogue.contract.ts'

export const catalogueQuery = (api: Api) =>
  queryOptions({
    queryKey: ['catalogue'],
    queryFn: async () => (await api.call(readCatalogue, {})).data,
  })

export const versionQuery = (api: Api, number: string) =>
  queryOptions({
    queryKey: ['catalogue-version', number],
    queryFn: async () => (await api.call(readVersion, { params: { number } })).data,
  })

export const draftQuery = (api: Api, number: string) =>
  queryOptions({
    queryKey: ['catalogue-draft', number],
    queryFn: async () => (await api.call(readDraft, { params: { number } })).data,
  })
