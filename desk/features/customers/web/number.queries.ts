import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { readDailyUsage, type Week } from '../daily-usage.contract.ts'
import { type NumberPage, readNumber } from '../number.contract.ts'
import { nullIfNotFound } from '#kit/web/desk/null-if-not-found.ts'

const keyOf = (id: string, service: string) => ['number', id, service]

export const numberQuery = (api: Api, id: string, service: string) =>
  queryOptions({
    queryKey: keyOf(id, service),
    queryFn: () => nullIfNotFound(api.call(readNumber, { params: { id, service } })),
  })

export const isNumberMissing = (client: QueryClient, { id = '', service = '' }: Record<string, string>): boolean =>
  client.getQueryData<NumberPage | null>(keyOf(id, service)) === null

export const dailyUsageQuery = (api: Api, { id, service }: { id: string; service: string }, week: Week) =>
  queryOptions({
    queryKey: ['days', id, service, week],
    queryFn: async () => (await api.call(readDailyUsage, { params: { id, service }, query: { week } })).data,
  })
