import { randomBytes, randomInt } from 'node:crypto'
import { transact } from '#kit/server/db.ts'
import { markets } from '#kit/server/markets.ts'
import type { ActivationDeps } from '#features/activation/server/activation.deps.ts'
import { activationRoutes } from '#features/activation/server/activation.routes.ts'
import { importCatalogue } from '#features/plans/server/plans.store.ts'
import { importDonors } from '#features/porting/server/porting.store.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import { importVouchers } from '#features/vouchers/server/vouchers.store.ts'
import { newMsisdn } from './numbers.ts'
import { fantailProvider } from './provider.ts'
import { useRouteServer, type RouteServer } from './route-server.ts'
import type { World } from './world.ts'

type WizardServer = RouteServer & Pick<World, 'newSim' | 'newVoucher' | 'card'>

export function useWizardServer(): () => WizardServer {
  const rig = useRouteServer(
    (parts) => activationRoutes({ ...parts, market: markets.NZ } as Partial<ActivationDeps> as ActivationDeps),
    {
      async before({ db }) {
        await transact(db, (trx) => importCatalogue(trx, fantailProvider.catalogue))
        await importDonors(db, fantailProvider.donors)
      },
    },
  )
  return () => ({
    ...rig(),
    async newSim() {
      const iccid = `8964032${String(randomInt(1e11)).padStart(11, '0')}${randomInt(10)}`
      const msisdn = newMsisdn()
      await importSims(rig().db, [{ iccid, msisdn }])
      return { msisdn, sim_serial: iccid.slice(-4), iccid }
    },
    async newVoucher(plan = 'plan-30-5gb') {
      const { db, secrets, clock } = rig()
      const code = randomBytes(6).toString('hex').toUpperCase()
      await importVouchers(db, secrets, [{ code, productId: plan, expiresAt: clock.now().add({ hours: 24 }) }])
      return code
    },
    card: () => 'not read here',
  })
}
