import type { Session, SignedIn } from './session.ts'

export type BrowserIdentity = {
  readonly session: Session
  readonly device: string | null
}

export type RequestContext = BrowserIdentity & {
  readonly user: SignedIn | null
  readonly userAgent?: string | undefined
  readonly clientIp: string
  /** True while a page is rendered. Such calls set no cookies, and count only in limits of routes that say so. */
  readonly inProcess: boolean
}

export type SignedInContext = RequestContext & { readonly user: SignedIn }

export type RouteAccess =
  | 'anyone'
  /** Signed in, with or without a confirmed e-mail. */
  | 'signed-in'
  /** Signed in with a confirmed e-mail. */
  | 'verified'

export type AuthorisedContext<A extends RouteAccess> = A extends 'anyone' ? RequestContext : SignedInContext

export type CustomerActor = { userId: string; sessionId: string | null }

export const customerActorOf = ({ user, session }: SignedInContext): CustomerActor => ({
  userId: user.id,
  sessionId: session.id,
})
