import { parseUuidPosition } from '#kit/server/pagination.ts'
import { findProcessingStart } from '#features/porting/server/porting-hours.ts'
import { findMilestonesOfPorts } from '#features/porting/server/porting-milestones.store.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import type { PortList, PortPage } from '../ports.contract.ts'
import { presentPortRow } from './ports.present.ts'
import { countPorts, listPortPage } from './ports.view.ts'

type PortsQuery = { of: PortList; before?: string | undefined }

export async function showPorts(
  deps: PortingDeps,
  staff: SignedInStaff,
  { of, before }: PortsQuery,
): Promise<PortPage> {
  const { db, clock, market } = deps
  const now = clock.now()
  const { rows, next } = await listPortPage(deps, { of, before: parseUuidPosition(before) })
  const milestones = await findMilestonesOfPorts(
    db,
    rows.map(({ id }) => id),
  )
  const context = { now, waits: of === 'need', staffId: staff.id }
  return {
    now: now.toString({ fractionalSecondDigits: 3 }),
    rows: rows.map((row) => presentPortRow(deps, row, { ...context, milestones: milestones.get(row.id) ?? [] })),
    next,
    counts: await countPorts(deps),
    looked_at_from: findProcessingStart(now, market)?.toString() ?? null,
  }
}
