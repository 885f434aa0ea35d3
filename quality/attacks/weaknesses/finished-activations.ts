import type { Db } from '#kit/server/db.ts'
import {
  fullDetailsAttackKind,
  attackFinishedActivation,
  dayOldActivationAttackKind,
} from '../kinds/finished-activations.ts'
import type { AttackContext } from '../attack-context.ts'
import { addUserToRequest, first, type Weakness } from '../weakness.ts'

const selectOrders = (db: Db, sessionId: string | null) => db.selectFrom('orders').where('session_id', '=', sessionId)

/** Attacks only two paths, which are enough to reveal a fault that all paths share. */
const attackWizardPages = (scene: AttackContext) =>
  attackFinishedActivation(scene, (path) => ['/api/activate/', '/activate/success/'].includes(path))

export const activationWeaknesses: Weakness[] = [
  {
    name: 'personal details of a finished activation stay visible',
    foundBy: fullDetailsAttackKind,
    attack: attackWizardPages,
    plant: () => ({
      async answer({ route, db, raw, real }) {
        if (!route.endpoint.path.startsWith('/api/activate/')) return real()
        const order = await selectOrders(db, raw.visit.session.id).select('user_id').executeTakeFirst()
        return real(addUserToRequest(raw, order?.user_id ?? undefined))
      },
    }),
  },
  {
    name: 'each visit keeps a finished activation visible for another day',
    foundBy: dayOldActivationAttackKind,
    attack: attackWizardPages,
    plant: () =>
      first(({ db, raw, deps }) =>
        db
          .updateTable('orders')
          .set({ completed_at: new Date(deps.clock.now().epochMilliseconds) })
          .where('session_id', '=', raw.visit.session.id)
          .where('completed_at', 'is not', null)
          .execute(),
      ),
  },
]
