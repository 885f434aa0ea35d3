import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { listServices, numbersPerPage, type Service, serviceNamePattern } from '../services.contract.ts'

const key = ['services']

export const servicesUnavailable = 'Your services can’t be loaded right now.'

export const servicesQuery = (api: Api) =>
  queryOptions({ queryKey: key, queryFn: async () => (await api.call(listServices, {})).data })

export const fromIn = (search: string): string | null => new URLSearchParams(search).get('from')

export function partIn(search: string): Record<string, string> {
  const from = fromIn(search)
  return { limit: String(numbersPerPage + 1), ...(from && serviceNamePattern.test(from) && { from }) }
}

export const isPart = (count: number, search: string): boolean => count > numbersPerPage || fromIn(search) !== null

/**
 * The services that a page needs. The server renders it with one page of numbers and the service in the path; the
 * browser loads all services.
 */
export function pageServicesQuery(api: Api, { uuid, shortId }: Record<string, string>, search: string) {
  if (!import.meta.env.SSR) return servicesQuery(api)
  const named = uuid ?? shortId
  return queryOptions({
    queryKey: key,
    isPart: (services: Record<string, Service>) => isPart(Object.keys(services).length, search),
    queryFn: async () =>
      (
        await api.call(listServices, {
          query: { ...partIn(search), ...(named && serviceNamePattern.test(named) && { named }) },
        })
      ).data,
  })
}

export function isServiceMissing(client: QueryClient, { uuid, shortId }: Record<string, string>): boolean {
  const services = client.getQueryData<Record<string, Service>>(key)
  if (!services || (uuid === undefined && shortId === undefined)) return false
  return !Object.values(services).some(
    (service) => service.uuid === uuid || (shortId !== undefined && shortId in service.schedules),
  )
}

export const serviceIn = (client: QueryClient, uuid: string): Service | undefined =>
  client.getQueryData<Record<string, Service>>(key)?.[uuid]

export function changeService(client: QueryClient, uuid: string, change: Partial<Service>): void {
  const services = client.getQueryData<Record<string, Service>>(key)
  const service = services?.[uuid]
  if (service) client.setQueryData(key, { ...services, [uuid]: { ...service, ...change } })
}

export async function reloadServices(api: Api, client: QueryClient): Promise<void> {
  if (client.getQueryData(key) !== undefined) await client.refetchQuery(servicesQuery(api))
}
