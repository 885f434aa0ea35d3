import { beginConfirmation } from '../confirmation.contract.ts'
import { createActionChallenge } from './action-confirmation.ts'
import type { StaffDeps } from './staff.deps.ts'
import { type DeskRoute, deskRoute } from './staff.guard.ts'
import type { DeskRequestContext } from './desk-request-context.ts'

// Each challenge is stored as a row for five minutes, so the number of challenges is limited.
const maxChallengesPerTenMinutes = 100

export const confirmationRoutes = (deps: StaffDeps): DeskRoute[] => [
  deskRoute(
    beginConfirmation,
    {
      who: 'staff',
      limits: ({ visit }) => [
        {
          key: `desk-confirm:${(visit as DeskRequestContext).staff?.id}`,
          times: maxChallengesPerTenMinutes,
          seconds: 600,
        },
      ],
    },
    async ({ visit, body }) => ({ options: await createActionChallenge(deps, visit, body.act) }),
  ),
]
