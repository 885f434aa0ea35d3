import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readAccessReviews } from '../access-reviews.contract.ts'

export const accessReviewQuery = (api: Api) =>
  queryOptions({
    queryKey: ['checks'],
    queryFn: async () => (await api.call(readAccessReviews, {})).data,
  })
