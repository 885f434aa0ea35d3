import {
  knownBrowserAttackKind,
  mailFloodAttackKind,
  revokedSessionAttackKind,
  attackFromKnownBrowsers,
  attackWithMailFloods,
  attackWithRevokedSessions,
} from '../kinds/known-browsers.ts'
import type { PlantedWeakness } from '../planted-weakness.ts'
import { nameOf, type AttackContext } from '../attack-context.ts'
import { first, type Weakness } from '../weakness.ts'

/** Removes the rate limits for known browsers, which did not exist before decision 0025. */
const ignoreKnownBrowserLimits = (): PlantedWeakness =>
  first(({ db, raw }) => raw.visit.device && db.deleteFrom('rate_limits').execute())

const on = (attack: (scene: AttackContext) => Promise<void>, call: string) => (scene: AttackContext) =>
  attack({ ...scene, endpoints: scene.endpoints.filter((endpoint) => nameOf(endpoint) === call) })

export const knownBrowserWeaknesses: Weakness[] = [
  {
    name: 'a login from a known browser compares the password with every account of the address',
    foundBy: knownBrowserAttackKind,
    attack: on(attackFromKnownBrowsers, 'POST /api/account/login/'),
    plant: ignoreKnownBrowserLimits,
  },
  {
    name: 'a sign-up from a known browser may guess passwords without limit',
    foundBy: knownBrowserAttackKind,
    attack: on(attackFromKnownBrowsers, 'POST /api/activate/signup/'),
    plant: ignoreKnownBrowserLimits,
  },
  {
    name: 'a browser stays known after the password was changed',
    foundBy: revokedSessionAttackKind,
    attack: on(attackWithRevokedSessions, 'POST /api/account/change_password/'),
    plant: () => ({
      async answer({ db, real }) {
        const realAnswer = await real()
        await db.updateTable('users').set({ password_epoch: 0 }).where('password_epoch', '>', 0).execute()
        return realAnswer
      },
    }),
  },
  {
    name: 'a known browser can request reset links without limit',
    foundBy: mailFloodAttackKind,
    attack: on(attackWithMailFloods, 'POST /api/account/password_reset_request/'),
    plant: ignoreKnownBrowserLimits,
  },
]
