import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { hashIp } from '#kit/server/ip-hash.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { hashToken, generateToken } from '#kit/server/secrets.ts'
import { parseUserAgent } from '#kit/server/user-agent.ts'
import { staffMessages } from '../staff.contract.ts'
import { findPasskey, recordPasskeyUse } from './passkeys.store.ts'
import { checkSignIn } from './passkeys.ts'
import { endStaffSessions, insertStaffSession } from './sessions.store.ts'
import type { StaffDeps } from './staff.deps.ts'
import { findStaffByEmail, lockPerson } from './staff.store.ts'
import type { DeskRequestContext } from './desk-request-context.ts'

type Identity = Pick<DeskRequestContext, 'session' | 'device'>

export async function signInWithPasskey(
  deps: StaffDeps,
  visit: DeskRequestContext,
  answer: { id: string },
): Promise<Identity> {
  const passkey = await findPasskey(deps.db, answer.id)
  const passkeyCheck =
    passkey && (await checkSignIn(deps, visit.session.token, answer, { ...passkey, credential_id: answer.id }))
  if (!passkey || !passkeyCheck) return rejectSignIn(deps, visit)
  const from = Number(passkey.counter)
  const identity = await transact(deps.db, async (trx) => {
    const person = { id: passkey.staff_id, name: passkey.name }
    await lockPerson(trx, person.id)
    if (!(await recordPasskeyUse(trx, passkey.id, { from, to: passkeyCheck.counter }))) return null
    return startSession(trx, deps, visit, { person, openedBy: 'passkey' })
  })
  return identity ?? rejectSignIn(deps, visit)
}

export async function signInDemoPerson(deps: StaffDeps, visit: DeskRequestContext, email: string): Promise<Identity> {
  const person = deps.isDemo ? await findStaffByEmail(deps.db, email) : null
  if (!person || person.suspended_at) throw new HttpError(400, { email: ['There is no demo user with that address.'] })
  return transact(deps.db, (trx) => startSession(trx, deps, visit, { person, openedBy: 'demo' }))
}

export async function signOut(deps: StaffDeps, visit: DeskRequestContext): Promise<Identity> {
  const { staff, session } = visit
  await transact(deps.db, async (trx) => {
    await endStaffSessions(trx, { tokenHash: hashToken(session.token) })
    if (staff) await audit(trx, deps.clock, { event: 'staff_signed_out', actor: staffActor(staff) })
  })
  return toIdentity(visit, generateToken())
}

/** Starts a new session for someone who has just signed in, and ends the browser's previous session. */
export async function startSession(
  trx: Trx,
  { clock }: StaffDeps,
  visit: DeskRequestContext,
  { person, openedBy }: { person: { id: string; name: string }; openedBy: 'passkey' | 'demo' },
): Promise<Identity> {
  const token = generateToken()
  await endStaffSessions(trx, { tokenHash: hashToken(visit.session.token) })
  const { browser, system } = parseUserAgent(visit.userAgent)
  await insertStaffSession(trx, { tokenHash: hashToken(token), staffId: person.id, openedBy, browser, system })
  await audit(trx, clock, { event: 'staff_signed_in', actor: staffActor(person) })
  return toIdentity(visit, token)
}

const staffActor = ({ id, name }: { id: string; name: string }): Actor => ({ by: 'staff', id, name, reason: null })

const toIdentity = ({ session, device }: DeskRequestContext, token: string): Identity => ({
  session: { ...session, token },
  device,
})

async function rejectSignIn({ db, clock, secrets }: StaffDeps, visit: DeskRequestContext): Promise<never> {
  await audit(db, clock, { event: 'staff_refused', details: { address: hashIp(secrets, visit.clientIp) } })
  throw new HttpError(400, { __all__: [staffMessages.passkey] })
}
