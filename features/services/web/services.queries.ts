import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { listServices, type Service } from '../services.contract.ts'

const key = ['services']

/** The customer's services by their uuid, oldest first. */
export const servicesQuery = (api: Api) => queryOptions({ queryKey: key, queryFn: async () => (await api.call(listServices, {})).data })

/** What is known of one service has changed; the others stay as they are. */
export function changeService(client: QueryClient, uuid: string, change: Partial<Service>): void {
  const services = client.getQueryData<Record<string, Service>>(key)
  const service = services?.[uuid]
  if (service) client.setQueryData(key, { ...services, [uuid]: { ...service, ...change } })
}
