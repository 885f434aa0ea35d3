import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { listServices, numbersPerPage, type Service, serviceNamePattern } from '../services.contract.ts'

const key = ['services']

export const servicesUnavailable = 'Your services can’t be loaded right now.'

/** The customer's services by uuid, oldest first. */
export const servicesQuery = (api: Api) =>
  queryOptions({ queryKey: key, queryFn: async () => (await api.call(listServices, {})).data })

/** The uuid of the first listed number, from the page's address; `null` for the start of the list. */
export const fromIn = (search: string): string | null => new URLSearchParams(search).get('from')

/** Query for one page of numbers plus the first number of the next page. */
export function partIn(search: string): Record<string, string> {
  const from = fromIn(search)
  return { limit: String(numbersPerPage + 1), ...(from && serviceNamePattern.test(from) && { from }) }
}

/** Whether there may be more numbers than these. */
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

/**
 * Whether the path names a service (`:uuid`, or a plan's `:shortId`) that this customer does not have. `false` until
 * the list is loaded.
 */
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

/** Reloads the services if they are in the cache. Otherwise the page that needs them loads them anyway. */
export async function reloadServices(api: Api, client: QueryClient): Promise<void> {
  if (client.getQueryData(key) !== undefined) await client.refetchQuery(servicesQuery(api))
}
