import { tellOfCallingOff, tellOfErasure, tellOfPuttingOff } from '#features/privacy/server/erasure.mail.ts'
import { type ErasureRequest, insertErasureRequest } from '#features/privacy/server/erasure-requests.store.ts'
import type { Sample, Scene } from './messages.ts'

function asked({ trx, deps, user }: Scene): Promise<ErasureRequest> {
  const askedAt = deps.clock.now()
  return insertErasureRequest(trx, user.id, { askedAt, dueAt: askedAt.add({ hours: 24 }) })
}

export const erasureSamples: readonly Sample[] = [
  {
    name: 'erasure, asked for',
    by: tellOfErasure,
    write: async (scene) => tellOfErasure(scene.trx, scene.deps, scene.user, await asked(scene)),
  },
  {
    name: 'erasure, called off',
    by: tellOfCallingOff,
    write: async (scene) => tellOfCallingOff(scene.trx, scene.deps, scene.user, await asked(scene)),
  },
  {
    name: 'erasure, put off',
    by: tellOfPuttingOff,
    write: async (scene) =>
      tellOfPuttingOff(scene.trx, scene.deps, {
        user: scene.user,
        request: await asked(scene),
        why: 'A payment of yours is disputed.',
      }),
  },
]
