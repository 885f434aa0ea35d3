import { type Route, route } from '#kit/server/route.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { listServices } from '../services.contract.ts'
import type { ServicesDeps } from './services.deps.ts'
import { firstServicesPart, presentServiceRows, presentServices } from './services.present.ts'

export const serviceRoutes = (deps: ServicesDeps): Route[] => [
  route(
    listServices,
    {
      access: 'verified',
      read: () => deps.readServices,
      values({ query: { limit, from = '', named = '' } }) {
        if (limit === undefined) return firstServicesPart
        return { from: isUuid(from) ? from : '', limit: String(limit), named }
      },
    },
    ({ visit: { user }, query, data }) =>
      query.limit === undefined ? presentServices(deps, user.id, data) : presentServiceRows(deps, data),
  ),
]
