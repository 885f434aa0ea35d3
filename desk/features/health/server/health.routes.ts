import { keptFor } from '#kit/server/kept-for.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { type Health, readHealth } from '../health.contract.ts'
import type { HealthDeps } from './health.deps.ts'
import { lookAtHealth } from './health.ts'
import { noticeRoutes } from './notices.routes.ts'

export function healthRoutes(deps: HealthDeps): DeskRoute[] {
  const look: () => Promise<Health> = keptFor(
    () => deps.thresholds.healthKeptMs,
    () => lookAtHealth(deps),
  )
  return [deskRoute(readHealth, { who: 'staff' }, look), ...noticeRoutes(deps)]
}
