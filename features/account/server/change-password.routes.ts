import { type Route, route } from '#kit/server/route.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { changePassword, changePasswordMessages } from '../change-password.contract.ts'
import { changeOwnPassword, passwordFaults } from './change-password.ts'

export const changePasswordRoutes = (deps: AuthDeps): Route[] => [
  route(
    changePassword,
    {
      access: 'verified',
      limits: ({ visit }) => [{ key: `change-password:session:${visit.session.token}`, times: 60, seconds: 3_600 }],
      alsoWrong: ({ visit, body }) => passwordFaults(deps, visit, body),
    },
    async ({ visit, body }) => {
      const cookies = await changeOwnPassword(deps, visit, body)
      return { status: 200, body: { message: changePasswordMessages.done }, cookies }
    },
  ),
]
