import type { Trx } from '#kit/server/db.ts'
import { buildNoticeContent } from '#features/auto-renewal/server/auto-renewal.mail.ts'
import {
  buildCardProblemContent,
  buildNextPlanContent,
  buildPlanEndContent,
} from '#features/auto-renewal/server/plan-ends.mail.ts'
import type { ResendRequest } from '#features/customers/server/customers.deps.ts'
import { sendMessageCopy } from '#features/messages/server/message-copy.mail.ts'
import type { CopyableContent } from '#features/messages/server/messages.ts'
import { parseStatedFacts, type StatedFacts } from '#features/messages/server/stated-facts.store.ts'
import { createNumberReleaseContent } from '#features/services/server/plan-life.mail.ts'
import type { Deps } from './deps.ts'

/** Queues a copy of a message, written from the facts that are stored with it. No amount or date is calculated again. */
export async function copyMessage(
  trx: Trx,
  deps: Deps,
  { kind, ref, user, stated: stored }: ResendRequest,
): Promise<{ why: string } | null> {
  const statedFacts = parseStatedFacts(stored)
  if (!statedFacts)
    return { why: 'This message can’t be sent again, because a different version of the application wrote it.' }
  await sendMessageCopy(trx, deps, {
    user,
    kind,
    ref,
    stated: statedFacts,
    content: buildCopyContent(deps, statedFacts),
  })
  return null
}

export function buildCopyContent(deps: Deps, stated: StatedFacts): CopyableContent {
  switch (stated.of) {
    case 'charge':
      return buildNoticeContent(deps, stated)
    case 'card_problem':
      return buildCardProblemContent(deps, stated)
    case 'plan_end':
      return buildPlanEndContent(deps, stated, { isCopy: true })
    case 'next_plan':
      return buildNextPlanContent(deps, stated, { isCopy: true })
    case 'number_release':
      return createNumberReleaseContent(deps, stated)
  }
}
