import { pageOf, type Place, readPlace } from '#kit/server/page.ts'
import { invalid } from '#kit/server/refusal.ts'
import { isUuid } from '#kit/server/uuid.ts'
import type { SignedInVisit } from '#kit/server/visit.ts'
import { listWritten } from '#features/messages/server/written.store.ts'
import { type MessagesView, sentMessages } from '../messages.contract.ts'
import { presentMessage } from './messages.present.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

const messagesAPage = 20

/**
 * A page of the messages to the customer, newest first.
 * @throws 400 when `before` is not a valid page position
 */
export async function ownMessages(
  { db }: PrivacyDeps,
  { user: { id } }: SignedInVisit,
  before: string | undefined,
): Promise<MessagesView> {
  const rows = await listWritten(db, id, {
    before: before === undefined ? null : placeOf(before),
    limit: messagesAPage + 1,
  })
  const page = pageOf(
    rows.map((row) => ({ ...row, at: row.created_at, key: row.id })),
    messagesAPage,
  )
  return { messages: page.rows.map(presentMessage), next: page.next }
}

function placeOf(text: string): Place {
  const place = readPlace(text)
  if (!place || place.at.getTime() < 0 || !isUuid(place.key)) throw invalid({ before: [sentMessages.place] })
  return place
}
