import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { changeLimits, readLimits } from '../limits.contract.ts'
import { changeOrRequestLimits, type LimitsDeps, readLimitsPage } from './limits.ts'
import { presentLimits } from './limits.present.ts'

export const limitsRoutes = (deps: LimitsDeps & { isDemo: boolean }): DeskRoute[] => [
  deskRoute(readLimits, { who: ['admin', 'lead'] }, async ({ staff }) =>
    presentLimits(await readLimitsPage(deps, staff), staff),
  ),
  deskRoute(changeLimits, { who: ['admin'], stepUp: true }, async ({ staff, params: { role }, body }) => {
    const request = await changeOrRequestLimits(deps, staff, {
      role,
      from: { orderCents: body.was_order, dayCents: body.was_day },
      to: { orderCents: body.order, dayCents: body.day },
      reason: body.reason,
      note: body.note,
    })
    return { outcome: request ? 'asked' : 'changed', lapses: request?.lapses_at.toISOString() ?? null }
  }),
]
