import type { Market } from '#kit/contract/bootstrap.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { buildGreeting, type MessageDeps, queueMail, type CopyableContent } from './messages.ts'
import type { StatedFacts } from './stated-facts.store.ts'

type MessageCopy = {
  user: { id: string; email: string; first_name: string }
  /** The first two parts of the original's event key. */
  kind: string
  ref: string
  stated: StatedFacts
  content: CopyableContent
}

/** Sends an email with the content of an earlier message. The caller's `resendId` makes each copy a separate event. */
export async function sendMessageCopy(
  trx: Trx,
  deps: MessageDeps & { market: Pick<Market, 'zone'> },
  { user, kind, ref, stated, content }: MessageCopy,
): Promise<void> {
  const day = formatDate(stated.at, deps.market.zone)
  const heading = `Copy of our message of ${day}`
  const [first = '', ...more] = content.paragraphs
  await queueMail(trx, deps, {
    eventKey: `${kind}:${ref}`,
    to: user,
    subject: `${heading} about ${formatNational(stated.msisdn)}`,
    heading,
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, this is what we wrote to you on ${day}. Your dashboard shows what applies today.`,
      `${first.slice(0, 1).toUpperCase()}${first.slice(1)}`,
      ...more,
    ],
    rows: content.rows,
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
    stated,
  })
}
