import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { listServices, numbersPerPage, type Service, serviceNamePattern } from '../services.contract.ts'

const key = ['services']

/** What is told in place of a list that could not be had. */
export const servicesUnavailable = 'Your services can’t be loaded right now.'

/** The customer's services by their uuid, oldest first. */
export const servicesQuery = (api: Api) =>
  queryOptions({ queryKey: key, queryFn: async () => (await api.call(listServices, {})).data })

/** The uuid in the address of the number that a list starts with; null: it starts with the first one. */
export const fromIn = (search: string): string | null => new URLSearchParams(search).get('from')

/** Query for one page of numbers plus the first number of the next page. */
export function partIn(search: string): Record<string, string> {
  const from = fromIn(search)
  return { limit: String(numbersPerPage + 1), ...(from && serviceNamePattern.test(from) && { from }) }
}

/** Whether there may be more numbers than these. */
export const isPart = (count: number, search: string): boolean => count > numbersPerPage || fromIn(search) !== null

/**
 * The services that a page needs. The server renders it with one page of numbers and the one that the path names; the browser loads all.
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

/** The path names a service (`:uuid`, or a plan's `:shortId`) that this customer does not have. Unknown while the list is. */
export function isServiceMissing(client: QueryClient, { uuid, shortId }: Record<string, string>): boolean {
  const services = client.getQueryData<Record<string, Service>>(key)
  if (!services || (uuid === undefined && shortId === undefined)) return false
  return !Object.values(services).some(
    (service) => service.uuid === uuid || (shortId !== undefined && shortId in service.schedules),
  )
}

/** What is known of one service. */
export const serviceIn = (client: QueryClient, uuid: string): Service | undefined =>
  client.getQueryData<Record<string, Service>>(key)?.[uuid]

/** What is known of one service has changed; the others stay as they are. */
export function changeService(client: QueryClient, uuid: string, change: Partial<Service>): void {
  const services = client.getQueryData<Record<string, Service>>(key)
  const service = services?.[uuid]
  if (service) client.setQueryData(key, { ...services, [uuid]: { ...service, ...change } })
}

/** Something of them has changed that only the server knows. Where they are not known yet, the page that needs them asks anyway. */
export async function reloadServices(api: Api, client: QueryClient): Promise<void> {
  if (client.getQueryData(key) !== undefined) await client.refetchQuery(servicesQuery(api))
}
