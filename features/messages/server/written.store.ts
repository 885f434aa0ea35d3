import type { Db } from '#kit/server/db.ts'
import type { Place } from '#kit/server/page.ts'
import type { Message } from './messages.store.ts'

export type Written = Pick<
  Message,
  'id' | 'created_at' | 'channel' | 'recipient' | 'subject' | 'kind' | 'sent_at' | 'refused_at' | 'dropped_at'
>

export const listWritten = (
  db: Db,
  userId: string,
  { before, limit }: { before: Place | null; limit: number },
): Promise<Written[]> => {
  const all = db
    .selectFrom('messages')
    .select(['id', 'created_at', 'channel', 'recipient', 'subject', 'kind', 'sent_at', 'refused_at', 'dropped_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  const behind = before
    ? all
        .where('created_at', '<=', before.at)
        .where(({ eb, or }) => or([eb('created_at', '<', before.at), eb('id', '<', before.key)]))
    : all
  return behind.execute()
}
