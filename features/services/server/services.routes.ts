import { type Route, route } from '#kit/server/route.ts'
import { listServices } from '../services.contract.ts'
import type { ServicesDeps } from './services.deps.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { presentServices, presentServicesPart } from './services.present.ts'

export const serviceRoutes = (deps: ServicesDeps): Route[] => [
  route(listServices, { access: 'verified' }, ({ visit: { user }, query }) => {
    const { limit, from = '', named = '' } = query
    if (limit === undefined) return presentServices(deps, user.id)
    return presentServicesPart(deps, { userId: user.id, from: isUuid(from) ? from : '', limit: String(limit), named })
  }),
]
