import { cached } from '#kit/server/cached.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { type Health, readHealth } from '../health.contract.ts'
import type { HealthDeps } from './health.deps.ts'
import { checkHealth } from './health.ts'
import { noticeRoutes } from './notices.routes.ts'

export function healthRoutes(deps: HealthDeps): DeskRoute[] {
  const readCachedHealth: () => Promise<Health> = cached(
    () => deps.thresholds.healthKeptMs,
    () => checkHealth(deps),
  )
  return [deskRoute(readHealth, { who: 'staff' }, readCachedHealth), ...noticeRoutes(deps)]
}
