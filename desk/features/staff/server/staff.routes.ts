import type { Limit } from '#kit/server/limits.ts'
import type { RawRequest } from '#kit/server/route.ts'
import { hashIp } from '#kit/server/ip-hash.ts'
import {
  acceptInvitation,
  beginSignIn,
  openInvitation,
  signIn,
  signInDemo,
  signOut as signOutCall,
  readSignedInStaff,
} from '../staff.contract.ts'
import { acceptInvitationWithPasskey, readInvitation } from './invitations.ts'
import { createSignInChallenge } from './passkeys.ts'
import { signInDemoPerson, signInWithPasskey, signOut } from './sign-in.ts'
import type { StaffDeps } from './staff.deps.ts'
import { type DeskRoute, deskRoute } from './staff.guard.ts'
import { presentStaff, presentDemoPerson } from './staff.present.ts'
import { listStaff } from './staff.store.ts'

/*
 * Passkeys and invitation tokens cannot be guessed. This limit only protects the server from too much work, and a whole
 * office may share one IP address.
 */
const maxTriesPerTenMinutes = 600

export function staffRoutes(deps: StaffDeps): DeskRoute[] {
  const limits = ({ visit }: RawRequest): Limit[] => [
    { key: `desk-sign-in:${hashIp(deps.secrets, visit.clientIp)}`, times: maxTriesPerTenMinutes, seconds: 600 },
  ]
  const publicRouteOptions = { who: 'anyone', limits } as const
  return [
    deskRoute(readSignedInStaff, { who: 'anyone' }, async ({ staff }) => ({
      staff: staff && presentStaff(staff),
      demo: deps.isDemo && !staff ? (await listStaff(deps.db)).filter(isActive).map(presentDemoPerson) : [],
    })),
    deskRoute(beginSignIn, publicRouteOptions, async ({ visit }) => ({
      options: await createSignInChallenge(deps, visit.session.token),
    })),
    deskRoute(signIn, publicRouteOptions, async ({ visit, body }) => ({
      status: 200,
      body: {},
      cookies: await signInWithPasskey(deps, visit, body.answer),
    })),
    ...(deps.isDemo
      ? [
          deskRoute(signInDemo, publicRouteOptions, async ({ visit, body }) => ({
            status: 200,
            body: {},
            cookies: await signInDemoPerson(deps, visit, body.email),
          })),
        ]
      : []),
    deskRoute(signOutCall, { who: 'anyone' }, async ({ visit }) => ({
      status: 200,
      body: {},
      cookies: await signOut(deps, visit),
    })),
    deskRoute(openInvitation, publicRouteOptions, ({ visit, body }) => readInvitation(deps, visit, body.token)),
    deskRoute(acceptInvitation, publicRouteOptions, async ({ visit, body }) => ({
      status: 200,
      body: {},
      cookies: await acceptInvitationWithPasskey(deps, visit, body),
    })),
  ]
}

const isActive = ({ suspended_at }: { suspended_at: Date | null }): boolean => suspended_at === null
