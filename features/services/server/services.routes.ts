import { unauthorised } from '#kit/server/refusal.ts'
import { type Route, route } from '#kit/server/route.ts'
import { listServices } from '../services.contract.ts'
import type { ServicesDeps } from './services.deps.ts'
import { presentServices } from './services.present.ts'

export const serviceRoutes = (deps: ServicesDeps): Route[] => [
  route(listServices, { access: 'verified' }, async ({ visit }) => {
    if (!visit.user) throw unauthorised()
    return presentServices(deps, visit.user.id)
  }),
]
