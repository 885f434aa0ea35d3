import {
  notifyErasureCancelled,
  notifyErasureRequested,
  notifyErasurePostponed,
} from '#features/privacy/server/erasure.mail.ts'
import { type ErasureRequest, insertErasureRequest } from '#features/privacy/server/erasure-requests.store.ts'
import type { MessageSample, Scene } from './render-messages.ts'

function asked({ trx, deps, user }: Scene): Promise<ErasureRequest> {
  const requestedAt = deps.clock.now()
  return insertErasureRequest(trx, user.id, { askedAt: requestedAt, dueAt: requestedAt.add({ hours: 24 }) })
}

export const erasureSamples: readonly MessageSample[] = [
  {
    name: 'erasure, asked for',
    by: notifyErasureRequested,
    write: async (scene) => notifyErasureRequested(scene.trx, scene.deps, scene.user, await asked(scene)),
  },
  {
    name: 'erasure, called off',
    by: notifyErasureCancelled,
    write: async (scene) => notifyErasureCancelled(scene.trx, scene.deps, scene.user, await asked(scene)),
  },
  {
    name: 'erasure, put off',
    by: notifyErasurePostponed,
    write: async (scene) =>
      notifyErasurePostponed(scene.trx, scene.deps, {
        user: scene.user,
        request: await asked(scene),
        why: 'A payment of yours is disputed.',
      }),
  },
]
