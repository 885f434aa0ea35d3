import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { requireAccessToCustomer } from '#desk/features/customers/server/customers.ts'
import { readCaller, sendCallerPin, verifyCaller } from '../caller-verification.contract.ts'
import { readCallerState, type CallersDeps, checkCallerPin, sendPin } from './caller-verification.ts'
import { presentCaller } from './caller-verification.present.ts'

const supportOnly = { who: ['support'] } as const

export const callerRoutes = (deps: CallersDeps): DeskRoute[] => [
  deskRoute(readCaller, supportOnly, async ({ staff, params: { id } }) =>
    presentCaller(await readCallerState(deps, staff, await requireAccessToCustomer(deps, staff, id))),
  ),
  deskRoute(sendCallerPin, supportOnly, async ({ staff, params: { id }, body: { way } }) => {
    const user = await requireAccessToCustomer(deps, staff, id)
    await sendPin(deps, staff, user.id, way)
    return presentCaller(await readCallerState(deps, staff, user))
  }),
  deskRoute(verifyCaller, supportOnly, async ({ staff, params: { id }, body: { pin } }) => {
    const user = await requireAccessToCustomer(deps, staff, id)
    return { verified_until: (await checkCallerPin(deps, staff, user.id, pin)).toString() }
  }),
]
