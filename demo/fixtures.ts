import { formatNational } from '#kit/contract/phone.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { readCustomers } from './customers.ts'
import { readDemoStaff } from './staff.ts'
import { unusedVouchers } from './stock.ts'

const expiry = '03/30'

const cards = [
  { number: '4111 1111 1111 1111', expiry, cvc: '737', name: 'Ana Rewi', about: 'Visa, approved', behaviour: 'ok' },
  {
    number: '5555 4444 3333 1111',
    expiry,
    cvc: '737',
    name: 'Ana Rewi',
    about: 'Mastercard, approved',
    behaviour: 'ok',
  },
  {
    number: '3700 0000 0000 002',
    expiry,
    cvc: '7373',
    name: 'Ana Rewi',
    about: 'American Express, approved',
    behaviour: 'ok',
  },
  {
    number: '4111 1111 1111 1111',
    expiry,
    cvc: '737',
    name: 'DECLINED',
    about: 'Declined by the bank',
    behaviour: 'declined',
  },
  {
    number: '4111 1111 1111 1111',
    expiry,
    cvc: '737',
    name: 'NOT_ENOUGH_BALANCE',
    about: 'Declined: insufficient funds',
    behaviour: 'declined',
  },
  {
    number: '4111 1111 1111 1111',
    expiry,
    cvc: '737',
    name: 'TIMEOUT',
    about: 'Charged, but the gateway’s response is lost',
    behaviour: 'timeout',
  },
  {
    number: '4111 1111 1111 1111',
    expiry,
    cvc: '737',
    name: 'PENDING',
    about: 'The bank takes a few seconds to decide',
    behaviour: 'pending',
  },
]

export const numberNeedingPortCode = '+61491570158'

export const demoPorts = {
  NZ: [
    { msisdn: '+64275550111', behaviour: 'completes' },
    { msisdn: '+64275550112', behaviour: 'completes' },
    { msisdn: '+64275550113', behaviour: 'completes' },
    { msisdn: '+64275550114', behaviour: 'completes' },
    { msisdn: '+64275550121', behaviour: 'fails' },
    { msisdn: '+64275550122', behaviour: 'fails' },
  ],
  AU: [
    { msisdn: '+61491570006', behaviour: 'completes' },
    { msisdn: '+61491570156', behaviour: 'completes' },
    { msisdn: '+61491570157', behaviour: 'fails' },
    { msisdn: numberNeedingPortCode, behaviour: 'completes' },
  ],
} as const

export async function readFixtures({
  db,
  clock,
  secrets,
  market,
  deskUrl,
}: {
  db: Db
  clock: Clock
  secrets: Secrets
  market: 'NZ' | 'AU'
  deskUrl: string | null
}) {
  const sims = await db
    .selectFrom('demo_sims')
    .innerJoin('sim_packs', 'sim_packs.iccid', 'demo_sims.iccid')
    .select(['msisdn', 'last_four', 'about', 'behaviour'])
    .where('order_id', 'is', null)
    .orderBy('position')
    .execute()
  return {
    now: clock.now().toString({ fractionalSecondDigits: 3 }),
    customers: await readCustomers(db),
    sims: sims.map((sim) => ({
      msisdn: formatNational(sim.msisdn),
      sim_serial: sim.last_four,
      about: sim.about,
      behaviour: sim.behaviour,
    })),
    vouchers: await unusedVouchers({ db, secrets, clock }),
    cards,
    ports: demoPorts[market].map((port) => ({ ...port, msisdn: formatNational(port.msisdn) })),
    staff:
      deskUrl === null
        ? []
        : (await readDemoStaff(db)).map(({ email, name, roles, is_lead }) => ({ email, name, roles, is_lead })),
  }
}
