import { type Route, route } from '#kit/server/route.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { changePassword, changePasswordMessages } from '../change-password.contract.ts'
import { changeOwnPassword, validatePasswordChange } from './change-password.ts'

/** Maximum password changes per account per hour. Successful changes count too, because each one sends an email. */
export const maxChangesPerHour = 60

export const changePasswordRoutes = (deps: AuthDeps): Route[] => [
  route(
    changePassword,
    {
      access: 'verified',
      // Limit by account, not by session: every password change gives the session a new token.
      limits: ({ visit: { user } }) =>
        user ? [{ key: `change-password:account:${user.id}`, times: maxChangesPerHour, seconds: 3_600 }] : [],
      alsoWrong: ({ visit, body }) => validatePasswordChange(deps, visit, body),
    },
    async ({ visit, body }) => {
      const cookies = await changeOwnPassword(deps, visit, body)
      return { status: 200, body: { message: changePasswordMessages.done }, cookies }
    },
  ),
]
