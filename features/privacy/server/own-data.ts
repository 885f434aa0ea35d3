import { audit } from '#kit/server/audit.ts'
import { countLimitUse } from '#kit/server/limits.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { badRequest, unauthorised } from '#kit/server/http-error.ts'
import {
  type CustomerActor,
  toCustomerActor,
  type SignedInContext,
  type RequestContext,
} from '#kit/server/request-context.ts'
import { checkSessionPassword } from '#features/auth/server/auth.ts'
import { passwordConfirmationMessages } from '#features/auth/password-confirmation.contract.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import type { DataExportFormat } from '../privacy.contract.ts'
import { writeJson } from './data-json.ts'
import { writeHtml } from './data-html.ts'
import { openTicket, sealTicket } from './data-ticket.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

export const dataPath = '/documents/your-data'

/**
 * Checks the customer's password.
 * @throws 400 when the password is wrong, 429 after too many wrong passwords
 */
export async function requireCorrectPassword(
  deps: PrivacyDeps,
  { userId, sessionId }: CustomerActor,
  password: string,
): Promise<User> {
  const user = await findUser(deps.db, userId)
  if (!user) throw unauthorised()
  if (!(await checkSessionPassword(deps, user, sessionId, password)))
    throw badRequest({ password: [passwordConfirmationMessages.wrong] })
  return user
}

/**
 * Creates a download URL for the customer's data. It is valid for two minutes, and only in this session.
 * @throws 400 when the password is wrong, 429 after too many wrong passwords or downloads
 */
export async function createDownloadTicket(
  deps: PrivacyDeps,
  visit: SignedInContext,
  { password, format }: { password: string; format: DataExportFormat },
): Promise<string> {
  const actor = toCustomerActor(visit)
  const user = await requireCorrectPassword(deps, actor, password)
  if (!actor.sessionId) throw unauthorised()
  await countLimitUse(deps.db, [{ key: `own-data:account:${user.id}`, times: 10, seconds: 3_600 }])
  const ticket = sealTicket(deps.secrets, { userId: user.id, sessionId: actor.sessionId, format })
  return `${dataPath}?ticket=${ticket}`
}

type DataFile = { name: string; type: string; content: AsyncIterable<string> }

/**
 * Returns the data file for a download ticket; `null` if the ticket has expired or belongs to a different session. The
 * file is streamed, so even a large one uses little memory.
 * @throws 429 after several downloads with one ticket; more than one is allowed because browsers may repeat a download
 */
export async function createDataFile(deps: PrivacyDeps, visit: RequestContext, text: string): Promise<DataFile | null> {
  const ticket = openTicket(deps.secrets, text)
  if (!ticket || ticket.userId !== visit.user?.id || ticket.sessionId !== visit.session.id) return null
  await countLimitUse(deps.db, [{ key: `own-data:ticket:${hashToken(text)}`, times: 3, seconds: 600 }])
  const user = await findUser(deps.db, ticket.userId)
  if (!user) return null
  const { format, ...actor } = ticket
  await audit(deps.db, deps.clock, { event: 'data_downloaded', ...actor, details: { format } })
  const exportedAt = deps.clock.now().toString()
  const parts = deps.ownData.exported(user)
  const name = `your-data-${exportedAt.slice(0, 10)}.${format}`
  return format === 'json'
    ? { name, type: 'application/json; charset=utf-8', content: writeJson(exportedAt, parts) }
    : { name, type: 'text/html; charset=utf-8', content: writeHtml(deps, exportedAt, parts) }
}
