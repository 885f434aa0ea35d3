import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { numbersPerPage } from '#features/services/services.contract.ts'
import * as s from './payment-method.module.css'

export function PaysFor() {
  // The charges depend on the card, which may have just changed.
  const services = useQuery({ ...servicesQuery(useApi()), staleTime: 5_000 }).data ?? {}
  const paid = Object.values(services).filter(({ outlook }) => outlook.card_charge)
  if (paid.length === 0) return null
  const others = paid.length - numbersPerPage
  return (
    <ul className={s.pays} aria-label="What your card pays for">
      {paid.slice(0, numbersPerPage).map(({ uuid, phone_number, outlook }) => (
        <li key={uuid}>
          Pays for <strong>{phone_number}</strong> {outlook.card_charge}.
        </li>
      ))}
      {others > 0 && (
        <li>
          It also pays for {others} other {others === 1 ? 'number' : 'numbers'}.
        </li>
      )}
    </ul>
  )
}
