import { paginateRows, type PagePosition, parsePosition } from '#kit/server/pagination.ts'
import { badRequest } from '#kit/server/http-error.ts'
import { isUuid } from '#kit/server/uuid.ts'
import type { SignedInContext } from '#kit/server/request-context.ts'
import { listSentMessages } from '#features/messages/server/sent-messages.store.ts'
import { type MessagesView, messageListErrors } from '../messages.contract.ts'
import { presentMessage } from './messages.present.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

const messagesPerPage = 20

/**
 * Returns a page of the messages sent to the customer, newest first.
 * @throws 400 when `before` is not a valid page position
 */
export async function listOwnMessages(
  { db }: PrivacyDeps,
  { user: { id } }: SignedInContext,
  before: string | undefined,
): Promise<MessagesView> {
  const rows = await listSentMessages(db, id, {
    before: before === undefined ? null : parseCursor(before),
    limit: messagesPerPage + 1,
  })
  const page = paginateRows(
    rows.map((row) => ({ ...row, at: row.created_at, key: row.id })),
    messagesPerPage,
  )
  return { messages: page.rows.map(presentMessage), next: page.next }
}

function parseCursor(text: string): PagePosition {
  const cursor = parsePosition(text)
  if (!cursor || cursor.at.getTime() < 0 || !isUuid(cursor.key)) throw badRequest({ before: [messageListErrors.place] })
  return cursor
}
