import type { Limit } from '#kit/server/limits.ts'
import type { RawCall } from '#kit/server/route.ts'
import { ipHash } from '#kit/server/ip-hash.ts'
import {
  acceptInvitation,
  beginSignIn,
  openInvitation,
  signIn,
  signInDemo,
  signOut as signOutCall,
  who,
} from '../staff.contract.ts'
import { acceptInvitationOf, openInvitationOf } from './invitations.ts'
import { challengeForSignIn } from './passkeys.ts'
import { signInDemoPerson, signInWith, signOut } from './sign-in.ts'
import type { StaffDeps } from './staff.deps.ts'
import { type DeskRoute, deskRoute } from './staff.guard.ts'
import { presentStaff, presentDemoPerson } from './staff.present.ts'
import { listStaff } from './staff.store.ts'

// Passkeys and invitation tokens cannot be guessed. The limit bounds the work of the server, and a whole office may share one address.
const triesInTenMinutes = 600

export function staffRoutes(deps: StaffDeps): DeskRoute[] {
  const limits = ({ visit }: RawCall): Limit[] => [
    { key: `desk-sign-in:${ipHash(deps.secrets, visit.clientIp)}`, times: triesInTenMinutes, seconds: 600 },
  ]
  const open = { who: 'anyone', limits } as const
  return [
    deskRoute(who, { who: 'anyone' }, async ({ staff }) => ({
      staff: staff && presentStaff(staff),
      demo: deps.isDemo && !staff ? (await listStaff(deps.db)).filter(isActive).map(presentDemoPerson) : [],
    })),
    deskRoute(beginSignIn, open, async ({ visit }) => ({
      options: await challengeForSignIn(deps, visit.session.token),
    })),
    deskRoute(signIn, open, async ({ visit, body }) => ({
      status: 200,
      body: {},
      cookies: await signInWith(deps, visit, body.answer),
    })),
    ...(deps.isDemo
      ? [
          deskRoute(signInDemo, open, async ({ visit, body }) => ({
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
    deskRoute(openInvitation, open, ({ visit, body }) => openInvitationOf(deps, visit, body.token)),
    deskRoute(acceptInvitation, open, async ({ visit, body }) => ({
      status: 200,
      body: {},
      cookies: await acceptInvitationOf(deps, visit, body),
    })),
  ]
}

const isActive = ({ suspended_at }: { suspended_at: Date | null }): boolean => suspended_at === null
