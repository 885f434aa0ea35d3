import { ofCustomer } from '#features/porting/server/porting-events.store.ts'
import type { WholePort } from '#features/porting/server/whole-port.ts'
import { withoutNumbers } from '#desk/features/orders/server/order-words.present.ts'

export function copyForCarrier({ port, requests, events }: WholePort): string {
  const others = requests.filter(({ id }) => id !== port.id)
  return [
    `Number transfer ${port.external_id}, times in UTC`,
    ...events
      .filter(({ event }) => !ofCustomer.includes(event))
      .map(({ at, event, sub_state, code, message }) =>
        [at.toISOString(), event.replaceAll('_', ' '), ...[sub_state, code, message].map(masked)]
          .filter(Boolean)
          .join('  '),
      ),
    ...others.map(({ external_id, created_at, status }) =>
      [`Also asked as ${external_id}`, created_at.toISOString(), status].join('  '),
    ),
  ].join('\n')
}

const masked = (text: string | null): string | null => text && withoutNumbers(text)
