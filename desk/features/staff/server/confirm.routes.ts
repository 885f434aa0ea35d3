import { beginConfirm } from '../confirm.contract.ts'
import { challengeForAction } from './confirm.ts'
import type { StaffDeps } from './staff.deps.ts'
import { type DeskRoute, deskRoute } from './staff.guard.ts'
import type { DeskRequestContext } from './desk-request-context.ts'

// Each challenge is stored as a row for five minutes, so the number of challenges is limited.
const maxPerTenMinutes = 100

export const confirmRoutes = (deps: StaffDeps): DeskRoute[] => [
  deskRoute(
    beginConfirm,
    {
      who: 'staff',
      limits: ({ visit }) => [
        { key: `desk-confirm:${(visit as DeskRequestContext).staff?.id}`, times: maxPerTenMinutes, seconds: 600 },
      ],
    },
    async ({ visit, body }) => ({ options: await challengeForAction(deps, visit, body.act) }),
  ),
]
