import * as v from 'valibot'
import { NetworkFault } from './fault.ts'
import type { Network } from './network.ts'
import { identifierSchemas, parse } from './order-request.ts'
import { usageHabits, portBehaviours, simBehaviours } from './state.ts'

const simSchema = v.object({
  ...identifierSchemas,
  behaviour: v.optional(v.picklist(simBehaviours), 'ok'),
  habits: v.optional(v.picklist(usageHabits), 'typical'),
})
const portSchema = v.object({ msisdn: identifierSchemas.msisdn, behaviour: v.picklist(portBehaviours) })
const simsSchema = v.array(simSchema)
const portsSchema = v.array(portSchema)

export type SimSeed = v.InferInput<typeof simSchema>
export type PortSeed = v.InferInput<typeof portSchema>

/**
 * Imports SIM packs. Repeating an import changes nothing. If any pack is rejected, none are imported.
 * @throws Fault 400 for an invalid SIM pack, 409 for a number that belongs to a different pack
 */
export function importSims(network: Network, sims: unknown): void {
  const requestedSims = parse(simsSchema, sims)
  const iccidsByNumber = new Map([...network.state.sims.values()].map(({ packMsisdn, iccid }) => [packMsisdn, iccid]))
  for (const { iccid, msisdn } of requestedSims) {
    const owner = iccidsByNumber.get(msisdn) ?? iccid
    if (owner !== iccid) throw new NetworkFault(409, 'NUMBER_TAKEN', `${msisdn} is the number of another SIM.`)
    iccidsByNumber.set(msisdn, iccid)
  }
  for (const sim of requestedSims) {
    const known = network.state.sims.get(sim.iccid)
    if (known?.packMsisdn === sim.msisdn && known.behaviour === sim.behaviour && known.habits === sim.habits) continue
    network.record({ type: 'sim_imported', ...sim })
  }
}

/** Sets how number transfers behave. Repeating an import changes nothing. @throws Fault 400 if an entry is invalid */
export function importPorts(network: Network, ports: unknown): void {
  for (const { msisdn, behaviour } of parse(portsSchema, ports)) {
    if (network.state.ports.get(msisdn) !== behaviour) network.record({ type: 'port_known', msisdn, behaviour })
  }
}
