import * as v from 'valibot'
import type { NetworkInventory } from './inventory.port.ts'
import { defaultMapping, type NetworkMapping } from './mapping.ts'
import { createTmfClient, type TmfOptions } from './tmf.client.ts'
import { readAllPages } from './tmf.list.ts'

const resourceSchema = v.object({
  serialNumber: v.nullish(v.string()),
  resourceCharacteristic: v.nullish(v.array(v.object({ name: v.string(), value: v.unknown() }))),
})

const pukPattern = /^\d{8}$/

/**
 * Creates a client for the network's inventory. The network's filter is not trusted, because a customer must never see the PUK of another
 * SIM.
 */
export function createNetworkInventory({
  mapping = defaultMapping,
  ...options
}: TmfOptions & { mapping?: NetworkMapping }): NetworkInventory {
  const requestInventory = createTmfClient({ ...options, api: mapping.paths.inventory })
  const { filters, characteristics, paging } = mapping
  return {
    async puk(iccid) {
      const query = new URLSearchParams({ [filters.simIccid]: iccid })
      const answer = await readAllPages(
        (page) => requestInventory(`/resource?${query}&${page}`),
        resourceSchema,
        paging,
      )
      if ('why' in answer) return { outcome: 'unknown', why: answer.why }
      const sim = answer.items.find(({ serialNumber }) => serialNumber === iccid)
      const value = sim?.resourceCharacteristic?.find(({ name }) => name === characteristics.puk)?.value
      const puk = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
      return pukPattern.test(puk) ? { outcome: 'known', puk } : { outcome: 'absent' }
    },
  }
}
