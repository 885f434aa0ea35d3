import { beginConfirm } from '../confirm.contract.ts'
import { challengeForAct } from './confirm.ts'
import type { StaffDeps } from './staff.deps.ts'
import { type DeskRoute, deskRoute } from './staff.guard.ts'
import type { DeskVisit } from './visit.ts'

// Each challenge is a row for five minutes, so their number is limited.
const timesInTenMinutes = 100

export const confirmRoutes = (deps: StaffDeps): DeskRoute[] => [
  deskRoute(
    beginConfirm,
    {
      who: 'staff',
      limits: ({ visit }) => [
        { key: `desk-confirm:${(visit as DeskVisit).staff?.id}`, times: timesInTenMinutes, seconds: 600 },
      ],
    },
    async ({ visit, body }) => ({ options: await challengeForAct(deps, visit, body.act) }),
  ),
]
