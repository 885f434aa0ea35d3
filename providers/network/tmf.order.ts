import type { NetworkOrder } from './network.port.ts'

/** The item of each kind of order: an action on a service of this specification. A carrier has its own names here. */
const items = {
  activate_sim: { action: 'add', specification: 'mobileLine' },
  deactivate_sim: { action: 'delete', specification: 'mobileLine' },
  add_plan: { action: 'add', specification: 'prepaidPlan' },
  add_addon: { action: 'add', specification: 'addOn' },
  remove_plan: { action: 'delete', specification: 'prepaidPlan' },
  remove_addon: { action: 'delete', specification: 'addOn' },
  port_in: { action: 'add', specification: 'numberPortIn' },
} as const

/** The body of TMF641's `POST serviceOrder`. */
export function serviceOrderOf(order: NetworkOrder) {
  const { action, specification } = items[order.kind]
  return {
    externalId: order.externalId,
    requestedStartDate: 'startsAt' in order ? order.startsAt : undefined,
    serviceOrderItem: [
      {
        id: '1',
        action,
        service: {
          serviceSpecification: { id: specification },
          serviceCharacteristic: Object.entries(characteristicsOf(order))
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => ({ name, value })),
        },
      },
    ],
  }
}

function characteristicsOf(order: NetworkOrder): Record<string, string | undefined> {
  const { iccid, msisdn } = order
  switch (order.kind) {
    case 'activate_sim':
    case 'deactivate_sim':
      return { iccid, msisdn }
    case 'add_plan':
    case 'add_addon':
      return { iccid, msisdn, sku: order.sku }
    case 'remove_plan':
    case 'remove_addon':
      return { iccid, msisdn, addedByExternalId: order.addedBy }
    case 'port_in': {
      const { portingMsisdn, donorProviderId, billingMethod, donorIccid, donorAccountNumber } = order
      return { iccid, msisdn: portingMsisdn, donorProviderId, billingMethod, donorIccid, donorAccountNumber }
    }
  }
}
