import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { listServices, numbersPerPage, type Service, serviceIdPattern } from '../services.contract.ts'

const servicesKey = ['services']

export const servicesUnavailableMessage = 'Your services can’t be loaded right now.'

export const servicesQuery = (api: Api) =>
  queryOptions({ queryKey: servicesKey, queryFn: async () => (await api.call(listServices, {})).data })

export const readFirstServiceId = (search: string): string | null => new URLSearchParams(search).get('from')

export function buildServicesPartQuery(search: string): Record<string, string> {
  const from = readFirstServiceId(search)
  return { limit: String(numbersPerPage + 1), ...(from && serviceIdPattern.test(from) && { from }) }
}

export const isPartialServiceList = (count: number, search: string): boolean =>
  count > numbersPerPage || readFirstServiceId(search) !== null

/**
 * The services that a page needs: on the server, one page of numbers plus the service in the path; in the browser, all
 * services.
 */
export function servicesQueryForPage(api: Api, { uuid, shortId }: Record<string, string>, search: string) {
  if (!import.meta.env.SSR) return servicesQuery(api)
  const requestedService = uuid ?? shortId
  return queryOptions({
    queryKey: servicesKey,
    isPart: (services: Record<string, Service>) => isPartialServiceList(Object.keys(services).length, search),
    queryFn: async () =>
      (
        await api.call(listServices, {
          query: {
            ...buildServicesPartQuery(search),
            ...(requestedService && serviceIdPattern.test(requestedService) && { named: requestedService }),
          },
        })
      ).data,
  })
}

export function isServiceMissing(client: QueryClient, { uuid, shortId }: Record<string, string>): boolean {
  const services = client.getQueryData<Record<string, Service>>(servicesKey)
  if (!services || (uuid === undefined && shortId === undefined)) return false
  return !Object.values(services).some(
    (service) => service.uuid === uuid || (shortId !== undefined && shortId in service.schedules),
  )
}

export const cachedService = (client: QueryClient, uuid: string): Service | undefined =>
  client.getQueryData<Record<string, Service>>(servicesKey)?.[uuid]

export function updateCachedService(client: QueryClient, uuid: string, change: Partial<Service>): void {
  const services = client.getQueryData<Record<string, Service>>(servicesKey)
  const service = services?.[uuid]
  if (service) client.setQueryData(servicesKey, { ...services, [uuid]: { ...service, ...change } })
}

export async function reloadServices(api: Api, client: QueryClient): Promise<void> {
  if (client.getQueryData(servicesKey) !== undefined) await client.refetchQuery(servicesQuery(api))
}
