import { readPlaceById } from '#kit/server/page.ts'
import { lookedAtFrom } from '#features/porting/server/porting-hours.ts'
import { milestonesOfPorts } from '#features/porting/server/porting-milestones.store.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import type { PortList, PortPage } from '../ports.contract.ts'
import { presentPortRow } from './ports.present.ts'
import { countPorts, listPortsOf } from './ports.view.ts'

type Wish = { of: PortList; before?: string | undefined }

export async function showPorts(deps: PortingDeps, staff: SignedInStaff, { of, before }: Wish): Promise<PortPage> {
  const { db, clock, market } = deps
  const now = clock.now()
  const { rows, next } = await listPortsOf(deps, { of, before: readPlaceById(before) })
  const milestones = await milestonesOfPorts(
    db,
    rows.map(({ id }) => id),
  )
  const known = { now, waits: of === 'need', staffId: staff.id }
  return {
    now: now.toString({ fractionalSecondDigits: 3 }),
    rows: rows.map((row) => presentPortRow(deps, row, { ...known, milestones: milestones.get(row.id) ?? [] })),
    next,
    counts: await countPorts(deps),
    looked_at_from: lookedAtFrom(now, market)?.toString() ?? null,
  }
}
