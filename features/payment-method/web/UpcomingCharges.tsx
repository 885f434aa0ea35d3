import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { numbersPerPage } from '#features/services/services.contract.ts'
import * as s from './payment-method.module.css'

export function UpcomingCharges() {
  /*
   * Upcoming charges depend on the saved card, which may just have changed, so reload the services if they
   * were loaded more than five seconds ago.
   */
  const services = useQuery({ ...servicesQuery(useApi()), staleTime: 5_000 }).data ?? {}
  const chargedServices = Object.values(services).filter(({ outlook }) => outlook.card_charge)
  if (chargedServices.length === 0) return null
  const otherServiceCount = chargedServices.length - numbersPerPage
  return (
    <ul className={s.pays} aria-label="What your card pays for">
      {chargedServices.slice(0, numbersPerPage).map(({ uuid, phone_number, outlook }) => (
        <li key={uuid}>
          Pays for <strong>{phone_number}</strong> {outlook.card_charge}.
        </li>
      ))}
      {otherServiceCount > 0 && (
        <li>
          It also pays for {otherServiceCount} other {otherServiceCount === 1 ? 'number' : 'numbers'}.
        </li>
      )}
    </ul>
  )
}
