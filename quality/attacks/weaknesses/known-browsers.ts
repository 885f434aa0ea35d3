import {
  guessesByKnownBrowser,
  mailFlood,
  oldProofs,
  onKnownBrowsers,
  onMailFloods,
  onOldProofs,
} from '../kinds/known-browsers.ts'
import type { Plant } from '../plant.ts'
import { nameOf, type Scene } from '../scene.ts'
import { first, type Weakness } from '../weakness.ts'

/** As before decision 0025, a known browser is not counted with the others. */
const knownBrowsersAreNotCounted = (): Plant =>
  first(({ db, raw }) => raw.visit.device && db.deleteFrom('rate_limits').execute())

const on = (attack: (scene: Scene) => Promise<void>, call: string) => (scene: Scene) =>
  attack({ ...scene, endpoints: scene.endpoints.filter((endpoint) => nameOf(endpoint) === call) })

export const ofKnownBrowsers: Weakness[] = [
  {
    name: 'a known browser is compared with every account of the address',
    foundBy: guessesByKnownBrowser,
    attack: on(onKnownBrowsers, 'POST /api/account/login/'),
    plant: knownBrowsersAreNotCounted,
  },
  {
    name: 'a sign-up in a known browser is compared without limit',
    foundBy: guessesByKnownBrowser,
    attack: on(onKnownBrowsers, 'POST /api/activate/signup/'),
    plant: knownBrowsersAreNotCounted,
  },
  {
    name: 'a known browser survives a change of the password',
    foundBy: oldProofs,
    attack: on(onOldProofs, 'POST /api/account/change_password/'),
    plant: () => ({
      async answer({ db, real }) {
        const answered = await real()
        await db.updateTable('users').set({ password_epoch: 0 }).where('password_epoch', '>', 0).execute()
        return answered
      },
    }),
  },
  {
    name: 'a known browser has as many mails with reset links sent as it likes',
    foundBy: mailFlood,
    attack: on(onMailFloods, 'POST /api/account/password_reset_request/'),
    plant: knownBrowsersAreNotCounted,
  },
]
