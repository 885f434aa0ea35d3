import { type Route, route } from '#kit/server/route.ts'
import { listServices } from '../services.contract.ts'
import type { ServicesDeps } from './services.deps.ts'
import { presentServices } from './services.present.ts'

export const serviceRoutes = (deps: ServicesDeps): Route[] => [
  route(listServices, { access: 'verified', ahead: true }, ({ visit }) => presentServices(deps, visit.user.id)),
]
