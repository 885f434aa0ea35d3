import { countToDecide } from '#desk/features/approvals/server/approvals.view.ts'
import { countDisputesLeft } from '#desk/features/money/server/money.view.ts'
import { countNeed, type PortsDeps } from '#desk/features/ports/server/ports.view.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { countTasks } from '#desk/features/today/server/tasks.view.ts'
import { readWaits, type Waits } from '../waits.contract.ts'
import { readIncident } from './incidents.view.ts'

export const waitsRoutes = (deps: PortsDeps): DeskRoute[] => [
  deskRoute(readWaits, { who: 'staff' }, ({ staff }) => waitsFor(deps, staff)),
]

async function waitsFor(deps: PortsDeps, staff: SignedInStaff): Promise<Waits> {
  const { db, clock } = deps
  return {
    tasks: await countTasks(db, staff),
    approvals: await countToDecide(db, staff),
    ports: staff.roles.includes('support') ? await countNeed(deps) : null,
    disputes: staff.roles.includes('finance') ? await countDisputesLeft(db) : null,
    incident: await readIncident(db, clock.now()),
  }
}
