import type { NetworkMapping } from './mapping.ts'
import type { NetworkOrder } from './network.port.ts'
import { formatNumber } from './phone-numbers.ts'

export function buildServiceOrder(order: NetworkOrder, mapping: NetworkMapping) {
  const { action, specificationId: id, specificationName: name } = mapping.orders[order.kind]
  return {
    externalId: order.externalId,
    requestedStartDate: 'startsAt' in order ? order.startsAt : undefined,
    serviceOrderItem: [
      {
        id: '1',
        action,
        service: {
          serviceSpecification: { id, ...(name !== null && { name }) },
          serviceCharacteristic: listCharacteristics(order, mapping).flatMap(([key, value]) =>
            value === undefined ? [] : [{ name: mapping.characteristics[key], value }],
          ),
        },
      },
    ],
  }
}

export function buildDonorCodeBody(code: string, mapping: NetworkMapping) {
  const { action, specificationId: id } = mapping.orders.port_in
  const serviceCharacteristic = [{ name: mapping.characteristics.donorCode, value: code }]
  return { serviceOrderItem: [{ id: '1', action, service: { serviceSpecification: { id }, serviceCharacteristic } }] }
}

type Characteristic = [name: keyof NetworkMapping['characteristics'], value: string | undefined]

function listCharacteristics(order: NetworkOrder, mapping: NetworkMapping): Characteristic[] {
  const formatMsisdn = (msisdn: string): string => formatNumber(msisdn, mapping.numbers.orders)
  const iccid: Characteristic = ['iccid', order.iccid]
  const line: Characteristic[] = [iccid, ['msisdn', formatMsisdn(order.msisdn)]]
  switch (order.kind) {
    case 'activate_sim':
    case 'deactivate_sim':
      return line
    case 'add_plan':
    case 'add_addon':
      return [...line, ['sku', order.sku]]
    case 'remove_plan':
    case 'remove_addon':
      return [...line, ['addedBy', order.addedBy]]
    case 'port_in': {
      const { donorProviderId: donor, billingMethod, donorIccid, donorAccountNumber } = order
      return [
        iccid,
        ['portingMsisdn', formatMsisdn(order.portingMsisdn)],
        ['donorProviderId', Object.hasOwn(mapping.donors, donor) ? mapping.donors[donor] : donor],
        ['billingMethod', mapping.billingMethods[billingMethod]],
        ['donorIccid', donorIccid],
        ['donorAccountNumber', donorAccountNumber],
      ]
    }
  }
}
