import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { openCustomerOf } from '#desk/features/customers/server/customers.ts'
import { caller, sendCallerPin, verifyCaller } from '../callers.contract.ts'
import { callerOf, type CallersDeps, enterPin, sendPin } from './callers.ts'
import { presentCaller } from './callers.present.ts'

const support = { who: ['support'] } as const

export const callerRoutes = (deps: CallersDeps): DeskRoute[] => [
  deskRoute(caller, support, async ({ staff, params: { id } }) =>
    presentCaller(await callerOf(deps, staff, await openCustomerOf(deps, staff, id))),
  ),
  deskRoute(sendCallerPin, support, async ({ staff, params: { id }, body: { way } }) => {
    const user = await openCustomerOf(deps, staff, id)
    await sendPin(deps, staff, user.id, way)
    return presentCaller(await callerOf(deps, staff, user))
  }),
  deskRoute(verifyCaller, support, async ({ staff, params: { id }, body: { pin } }) => {
    const user = await openCustomerOf(deps, staff, id)
    return { verified_until: (await enterPin(deps, staff, user.id, pin)).toString() }
  }),
]
