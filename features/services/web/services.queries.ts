import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { listServices, type Service } from '../services.contract.ts'

const key = ['services']

/** What is told in place of a list that could not be had. */
export const servicesUnavailable = 'Your services can’t be loaded right now.'

/** The customer's services by their uuid, oldest first. */
export const servicesQuery = (api: Api) =>
  queryOptions({ queryKey: key, queryFn: async () => (await api.call(listServices, {})).data })

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
