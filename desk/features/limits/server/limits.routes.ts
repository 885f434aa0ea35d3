import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { changeLimits, readLimits } from '../limits.contract.ts'
import { changeOrAsk, type LimitsDeps, limitsFor } from './limits.ts'
import { presentLimits } from './limits.present.ts'

export const limitsRoutes = (deps: LimitsDeps & { isDemo: boolean }): DeskRoute[] => [
  deskRoute(readLimits, { who: ['admin'] }, async ({ staff }) => presentLimits(await limitsFor(deps, staff), staff)),
  deskRoute(changeLimits, { who: ['admin'], stepUp: true }, async ({ staff, params: { role }, body }) => {
    const asked = await changeOrAsk(deps, staff, {
      role,
      from: { orderCents: body.was_order, dayCents: body.was_day },
      to: { orderCents: body.order, dayCents: body.day },
      reason: body.reason,
      note: body.note,
    })
    return { outcome: asked ? 'asked' : 'changed', lapses: asked?.lapses_at.toISOString() ?? null }
  }),
]
