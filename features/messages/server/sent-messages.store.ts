import type { Db } from '#kit/server/db.ts'
import type { PagePosition } from '#kit/server/pagination.ts'
import type { Message } from './messages.store.ts'

export type SentMessageRow = Pick<
  Message,
  'id' | 'created_at' | 'channel' | 'recipient' | 'subject' | 'kind' | 'sent_at' | 'refused_at' | 'dropped_at'
>

export const listSentMessages = (
  db: Db,
  userId: string,
  { before, limit }: { before: PagePosition | null; limit: number },
): Promise<SentMessageRow[]> => {
  const messagesQuery = db
    .selectFrom('messages')
    .select(['id', 'created_at', 'channel', 'recipient', 'subject', 'kind', 'sent_at', 'refused_at', 'dropped_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  const olderMessagesQuery = before
    ? messagesQuery
        .where('created_at', '<=', before.at)
        .where(({ eb, or }) => or([eb('created_at', '<', before.at), eb('id', '<', before.key)]))
    : messagesQuery
  return olderMessagesQuery.execute()
}
