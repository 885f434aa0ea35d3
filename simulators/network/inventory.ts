import { createHash } from 'node:crypto'
import { getMsisdn } from './state.ts'
import type { Sim, State } from './state.ts'

export const inventoryBase = '/tmf-api/resourceInventoryManagement/v4'

export function listResources(state: State, origin: string) {
  const reservedIccids = new Set<string>()
  for (const { request } of state.openOrders) if (request.operation === 'activate') reservedIccids.add(request.iccid)
  const sims = [...state.sims.values()]
  return [
    ...sims.map((sim) => presentSim(sim, reservedIccids.has(sim.iccid), origin)),
    ...sims.flatMap((sim) => presentSimNumbers(sim, reservedIccids.has(sim.iccid), origin)),
  ]
}

function presentSim({ iccid, packMsisdn, line }: Sim, reserved: boolean, origin: string) {
  return {
    ...resourceReference(origin, 'sim', iccid),
    name: 'SIM',
    serialNumber: iccid,
    resourceCharacteristic: [{ name: 'puk', value: pukOf(iccid) }],
    ...getNumberStatus(line !== null, reserved),
    resourceRelationship: [
      {
        ...resourceReference(origin, 'msisdn', line ? getMsisdn(line) : packMsisdn),
        relationshipType: line ? 'uses' : 'packedWith',
      },
    ],
    '@type': 'PhysicalResource',
  }
}

/**
 * Lists a SIM's numbers: the one from its pack, which becomes free once a different number has been transferred in, and the transferred
 * number.
 */
function presentSimNumbers({ packMsisdn, line }: Sim, reserved: boolean, origin: string) {
  const view = (number: string, inUse: boolean, isReserved: boolean) => ({
    ...resourceReference(origin, 'msisdn', number),
    ...presentNumber(number, inUse, isReserved),
  })
  const pack = view(packMsisdn, line !== null && getMsisdn(line) === packMsisdn, reserved)
  return line && getMsisdn(line) !== packMsisdn ? [pack, view(getMsisdn(line), true, false)] : [pack]
}

function presentNumber(number: string, inUse: boolean, reserved: boolean) {
  return {
    name: 'MSISDN',
    value: number,
    ...getNumberStatus(inUse, reserved),
    '@type': 'LogicalResource',
  }
}

function resourceReference(origin: string, kind: 'sim' | 'msisdn', key: string) {
  return { id: `${kind}-${key}`, href: `${origin}${inventoryBase}/resource/${kind}-${key}` }
}

function getNumberStatus(inUse: boolean, reserved: boolean) {
  return {
    resourceStatus: inUse || reserved ? 'reserved' : 'available',
    usageState: inUse ? 'active' : 'idle',
    operationalState: 'enable',
    administrativeState: 'unlocked',
  }
}

/** Returns a SIM's PUK: eight digits taken from a hash of the ICCID, so they never change but don't resemble it. */
const pukOf = (iccid: string): string =>
  String(createHash('sha256').update(`puk ${iccid}`).digest().readUInt32BE(0) % 100_000_000).padStart(8, '0')
