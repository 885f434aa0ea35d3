import { customerContactEvents } from '#features/porting/server/porting-events.store.ts'
import type { PortDetails } from '#features/porting/server/port-details.ts'
import { maskNumbers } from '#desk/features/orders/server/order.labels.ts'

export function carrierTicketText({ port, requests, events }: PortDetails): string {
  const otherRequests = requests.filter(({ id }) => id !== port.id)
  return [
    `Number transfer ${port.external_id}, times in UTC`,
    ...events
      .filter(({ event }) => !customerContactEvents.includes(event))
      .map(({ at, event, sub_state, code, message }) =>
        [at.toISOString(), event.replaceAll('_', ' '), ...[sub_state, code, message].map(maskNumbersInText)]
          .filter(Boolean)
          .join('  '),
      ),
    ...otherRequests.map(({ external_id, created_at, status }) =>
      [`Also requested as ${external_id}`, created_at.toISOString(), status].join('  '),
    ),
  ].join('\n')
}

const maskNumbersInText = (text: string | null): string | null => text && maskNumbers(text)
