import { countDecidableRequests } from '#desk/features/approvals/server/approvals.view.ts'
import { countWaitingDisputes } from '#desk/features/money/server/money.view.ts'
import { countPortsNeedingStaff, type PortsDeps } from '#desk/features/ports/server/ports.view.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { countTasks } from '#desk/features/today/server/tasks.view.ts'
import { readCounters, type Counters } from '../counters.contract.ts'
import { readIncident } from './incidents.view.ts'

export const countersRoutes = (deps: PortsDeps): DeskRoute[] => [
  deskRoute(readCounters, { who: 'staff' }, ({ staff }) => readStaffCounters(deps, staff)),
]

async function readStaffCounters(deps: PortsDeps, staff: SignedInStaff): Promise<Counters> {
  const { db, clock } = deps
  return {
    tasks: await countTasks(db, staff),
    approvals: await countDecidableRequests(db, staff),
    ports: staff.roles.includes('support') ? await countPortsNeedingStaff(deps) : null,
    disputes: staff.roles.includes('finance') ? await countWaitingDisputes(db) : null,
    incident: await readIncident(db, clock.now()),
  }
}
