import { buildNoticeMessages } from '#features/auto-renewal/server/auto-renewal.mail.ts'
import {
  createCardReminder,
  endReminder,
  createNextPlanReminder,
} from '#features/auto-renewal/server/plan-ends.mail.ts'
import type { PlanStatus } from '#features/auto-renewal/server/plan-status.ts'
import { sendMessageCopy } from '#features/messages/server/message-copy.mail.ts'
import type { OutboxMessage } from '#features/messages/server/messages.ts'
import { createNumberReminder } from '#features/services/server/plan-life.mail.ts'
import { buildCopyContent } from '#app/copy-message.ts'
import { at, createLockedAutoRenewal, requirePlanStatus, withQueuedPlan } from './plan-end-message-samples.ts'
import type { MessageSample, Scene } from './render-messages.ts'

const createCopySample = (name: string, createOriginal: (scene: Scene) => Promise<OutboxMessage[]>): MessageSample => ({
  name,
  by: sendMessageCopy,
  async write(scene) {
    const { trx, deps, user } = scene
    const [original] = await createOriginal(scene)
    const statedFacts = original && 'mail' in original ? original.mail.stated : undefined
    if (!statedFacts) throw new Error('the original states nothing')
    const content = buildCopyContent(deps, statedFacts)
    await sendMessageCopy(trx, deps, {
      user,
      kind: 'plan-life',
      ref: crypto.randomUUID(),
      stated: statedFacts,
      content,
    })
  },
})

async function createEndingPlan(
  scene: Scene,
  days: number,
  change: (planStatus: PlanStatus) => Partial<PlanStatus> = () => ({}),
) {
  const { user, service, schedule } = scene
  const outlook = await requirePlanStatus(scene, at(scene, days, 9))
  return { user, service, schedule, outlook: { ...outlook, ...change(outlook) }, premise: 'sample' }
}

async function createNotice(scene: Scene): Promise<OutboxMessage[]> {
  const now = at(scene, 3, 9)
  const { offer, card } = await requirePlanStatus(scene, now)
  if (!offer) throw new Error('nothing to renew with')
  const recipient = { user: scene.user, premise: 'sample', channel: 'both' } as const
  const notice = { offer, chargeAt: at(scene, 1, 9), card, trouble: null }
  return buildNoticeMessages(scene.deps, createLockedAutoRenewal(scene, now), recipient, notice)
}

export const messageCopySamples: readonly MessageSample[] = [
  createCopySample('copy of the charge notice', createNotice),
  createCopySample('copy, last day', async (scene) => endReminder(scene.deps, await createEndingPlan(scene, 1))),
  createCopySample('copy, card expires', async (scene) =>
    createCardReminder(scene.deps, await createEndingPlan(scene, 7)),
  ),
  createCopySample('copy, next plan', async (scene) =>
    createNextPlanReminder(scene.deps, await createEndingPlan(scene, 1, withQueuedPlan)),
  ),
  createCopySample('copy, number release', async ({ deps, user, service, schedule }) =>
    createNumberReminder(
      deps,
      { user, service, schedule, onlyWhile: { serviceId: service.id, premise: 'sample', byDay: true } },
      14,
    ),
  ),
]
