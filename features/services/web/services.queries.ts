import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listServices } from '../services.contract.ts'

/** The customer's services by their uuid, oldest first. */
export const servicesQuery = (api: Api) => queryOptions({ queryKey: ['services'], queryFn: async () => (await api.call(listServices, {})).data })
