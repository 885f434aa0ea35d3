import { audit } from '#kit/server/audit.ts'
import { countUse } from '#kit/server/limits.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { invalid, unauthorised } from '#kit/server/refusal.ts'
import { type Actor, actorOf, type SignedInVisit, type Visit } from '#kit/server/visit.ts'
import { checkSessionPassword } from '#features/auth/server/auth.ts'
import { passwordAgainMessages } from '#features/auth/password-again.contract.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import type { DataFormat } from '../privacy.contract.ts'
import { writeJson } from './data-json.ts'
import { writePage } from './data-html.ts'
import { readTicket, writeTicket } from './data-ticket.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

export const dataPath = '/documents/your-data'

/** @throws 400 when the password is wrong, 429 after too many wrong passwords */
export async function ownerByPassword(
  deps: PrivacyDeps,
  { userId, sessionId }: Actor,
  password: string,
): Promise<User> {
  const user = await findUser(deps.db, userId)
  if (!user) throw unauthorised()
  if (!(await checkSessionPassword(deps, user, sessionId, password)))
    throw invalid({ password: [passwordAgainMessages.wrong] })
  return user
}

/**
 * A download address for the customer's data, valid for two minutes and in this session.
 * @throws 400 when the password is wrong, 429 after too many wrong passwords or downloads
 */
export async function ticketFor(
  deps: PrivacyDeps,
  visit: SignedInVisit,
  { password, format }: { password: string; format: DataFormat },
): Promise<string> {
  const actor = actorOf(visit)
  const user = await ownerByPassword(deps, actor, password)
  if (!actor.sessionId) throw unauthorised()
  await countUse(deps.db, [{ key: `own-data:account:${user.id}`, times: 10, seconds: 3_600 }])
  const ticket = writeTicket(deps.secrets, { userId: user.id, sessionId: actor.sessionId, format })
  return `${dataPath}?ticket=${ticket}`
}

type DataFile = { name: string; type: string; content: AsyncIterable<string> }

/**
 * The file for a ticket; `null` when the ticket is expired or belongs to another session. The file is streamed, so its
 * length does not matter.
 * @throws 429 after several downloads with one ticket; a browser may need more than one
 */
export async function fileFor(deps: PrivacyDeps, visit: Visit, text: string): Promise<DataFile | null> {
  const ticket = readTicket(deps.secrets, text)
  if (!ticket || ticket.userId !== visit.user?.id || ticket.sessionId !== visit.session.id) return null
  await countUse(deps.db, [{ key: `own-data:ticket:${hashToken(text)}`, times: 3, seconds: 600 }])
  const user = await findUser(deps.db, ticket.userId)
  if (!user) return null
  const { format, ...actor } = ticket
  await audit(deps.db, deps.clock, { event: 'data_downloaded', ...actor, details: { format } })
  const exported = deps.clock.now().toString()
  const parts = deps.ownData.exported(user)
  const name = `your-data-${exported.slice(0, 10)}.${format}`
  return format === 'json'
    ? { name, type: 'application/json; charset=utf-8', content: writeJson(exported, parts) }
    : { name, type: 'text/html; charset=utf-8', content: writePage(deps, exported, parts) }
}
