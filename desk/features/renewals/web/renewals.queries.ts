import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { renewalOffer } from '../renewals.contract.ts'

/** What a number could be renewed with. */
export const offerQuery = (api: Api, id: string, service: string) =>
  queryOptions({
    queryKey: ['renewal-offer', id, service],
    queryFn: async () => (await api.call(renewalOffer, { params: { id, service } })).data,
  })
